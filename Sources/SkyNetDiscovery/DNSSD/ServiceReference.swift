import CDNSSD

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A request to the DNS-SD daemon, with its answers so far: a `DNSServiceRef`.
///
/// Only the thread that made a reference may use it, which the compiler checks, as the class is not
/// `Sendable`.
final class ServiceReference {
  /// A report of a callback; after `failed` there are no more answers.
  enum Answer: Equatable {
    case instance(name: String, interface: UInt32, isAdded: Bool)
    case resolved(Service)
    case record(type: Int, data: [UInt8], interface: UInt32, isAdded: Bool)
    case registered(name: String)
    case failed(ServiceError)
  }

  /// For `poll` only: the descriptor must not be read, written or closed.
  let descriptor: Int32
  private let reference: DNSServiceRef
  private let inbox: Inbox
  private(set) var isOpen = true

  /// - Parameter ask: calls a function of libdns_sd that makes a reference, with the `Inbox` as its context.
  /// - Throws: ``ServiceError``.
  init(
    _ ask: (inout DNSServiceRef?, UnsafeMutableRawPointer) -> DNSServiceErrorType
  ) throws(ServiceError) {
    let inbox = Inbox()
    var reference: DNSServiceRef?
    errno = 0
    let code = ask(&reference, Unmanaged.passUnretained(inbox).toOpaque())
    guard code == kDNSServiceErr_NoError, let reference else {
      // The library has no code for a shortage of descriptors.
      throw errno == EMFILE ? .noDescriptors : ServiceError(code: Int(code))
    }
    self.inbox = inbox
    self.reference = reference
    descriptor = dns_sd_descriptor(reference)
  }

  /// Reads the answers that have arrived. To be called only when `poll` finds the descriptor readable, as it
  /// blocks otherwise. After an answer `.failed` the reference is dead and has to be closed.
  func process() -> [Answer] {
    guard isOpen else { return [] }
    let code = dns_sd_process_result(reference)
    var answers = inbox.answers
    inbox.answers = []
    if code != kDNSServiceErr_NoError { answers.append(.failed(ServiceError(code: Int(code)))) }
    return answers
  }

  /// Withdraws the request. The daemon has heard of it when this returns. A second call does nothing.
  func close() {
    guard isOpen else { return }
    isOpen = false
    dns_sd_deallocate(reference)
  }

  deinit { close() }

  /// Collects the answers of callbacks, which run within `process()`, or within the call that makes the
  /// reference.
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
  /// Whether the process had no descriptors left.
  var isOutOfDescriptors = false

  static let noDescriptors = ServiceError(
    code: Int(kDNSServiceErr_Unknown), isOutOfDescriptors: true)

  /// The Debian packages without which no node is found by itself.
  private static let packages = "avahi-daemon and libavahi-compat-libdnssd1"

  /// Whether another program on this machine uses the name.
  var isNameConflict: Bool { code == kDNSServiceErr_NameConflict }

  var description: String {
    if isOutOfDescriptors { return "too many open files (raise the limit that `ulimit -n` shows)" }
    return switch code {
    case kDNSServiceErr_Unknown, kDNSServiceErr_BadState:
      // Avahi's library returns these when the bus or the daemon is missing, and when it goes away.
      "no Avahi daemon answers (is avahi-daemon running? if it is missing, install \(Self.packages))"
    case kDNSServiceErr_Unsupported:
      // What CDNSSD returns. Avahi's library never does, for what is asked here.
      "there is no libdns_sd (install \(Self.packages))"
    case kDNSServiceErr_Refused:
      "the Avahi daemon refused (too many clients or objects, or no permission)"
    case kDNSServiceErr_BadParam, kDNSServiceErr_Invalid:
      "the Avahi daemon rejected the name or the service type (DNS-SD error \(code))"
    default: "DNS-SD error \(code)"
    }
  }
}
