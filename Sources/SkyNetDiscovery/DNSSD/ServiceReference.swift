import CDNSSD

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Something asked of the DNS-SD daemon, and what it answered so far: a `DNSServiceRef`.
///
/// To be used by one thread, the one that made it; not `Sendable`, so that the compiler sees to it.
final class ServiceReference {
  /// What a callback said, or that nothing more will come.
  enum Answer: Equatable {
    case instance(name: String, interface: UInt32, isAdded: Bool)
    case resolved(Service)
    case record(type: Int, data: [UInt8], interface: UInt32, isAdded: Bool)
    case registered(name: String)
    case failed(ServiceError)
  }

  /// For `poll` only: never to be read, written or closed.
  let descriptor: Int32
  private let reference: DNSServiceRef
  private let inbox: Inbox
  private(set) var isOpen = true

  /// `ask` calls one of the functions that make a reference, with `Inbox` as the context.
  init(
    _ ask: (inout DNSServiceRef?, UnsafeMutableRawPointer) -> DNSServiceErrorType
  ) throws(ServiceError) {
    let inbox = Inbox()
    var reference: DNSServiceRef?
    errno = 0
    let code = ask(&reference, Unmanaged.passUnretained(inbox).toOpaque())
    guard code == kDNSServiceErr_NoError, let reference else {
      // The library's own codes do not tell.
      throw errno == EMFILE ? .noDescriptors : ServiceError(code: Int(code))
    }
    self.inbox = inbox
    self.reference = reference
    descriptor = DNSServiceRefSockFD(reference)
  }

  /// Reads what has come; only when `poll` says that there is something, as it would wait for it.
  /// After an answer of `.failed` the reference is dead, and is to be closed.
  func process() -> [Answer] {
    guard isOpen else { return [] }
    let code = DNSServiceProcessResult(reference)
    var answers = inbox.answers
    inbox.answers = []
    if code != kDNSServiceErr_NoError { answers.append(.failed(ServiceError(code: Int(code)))) }
    return answers
  }

  /// Takes back what was asked. The daemon knows when this returns. A second call does nothing.
  func close() {
    guard isOpen else { return }
    isOpen = false
    DNSServiceRefDeallocate(reference)
  }

  deinit { close() }

  /// Where callbacks leave what they are told: they run within `process()`, or within the call
  /// that makes the reference.
  final class Inbox {
    var answers: [Answer] = []

    static func at(_ context: UnsafeMutableRawPointer?) -> Inbox? {
      context.map { Unmanaged<Inbox>.fromOpaque($0).takeUnretainedValue() }
    }
  }
}

/// An error code from libdns_sd.
struct ServiceError: Error, Hashable, CustomStringConvertible {
  let code: Int
  /// Whether the process could open no more files.
  var isOutOfDescriptors = false

  static let noDescriptors = ServiceError(
    code: Int(kDNSServiceErr_Unknown), isOutOfDescriptors: true)

  /// The name is in use by another program on this machine.
  var isNameConflict: Bool { code == kDNSServiceErr_NameConflict }

  var description: String {
    if isOutOfDescriptors { return "too many open files (raise the limit that `ulimit -n` shows)" }
    return switch code {
    case kDNSServiceErr_Unknown, kDNSServiceErr_BadState:
      // What Avahi's library says when the bus or the daemon is missing, and when it goes away.
      "no Avahi daemon answers (is avahi-daemon running?)"
    case kDNSServiceErr_Refused:
      "the Avahi daemon refused (too many clients or objects, or no permission)"
    case kDNSServiceErr_BadParam, kDNSServiceErr_Invalid:
      "the Avahi daemon would not have the name or the service type (DNS-SD error \(code))"
    default: "DNS-SD error \(code)"
    }
  }
}
