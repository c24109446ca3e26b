import SkyNetCluster
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Commands for the thread that owns the service references, from any other.
final class Mailbox: Sendable {
  enum Command: Sendable {
    case browse(SessionID, ServiceType, AsyncStream<DiscoveryEvent>.Continuation)
    case advertise(
      SessionID, ServiceType, Advertisement, AsyncStream<AdvertisementEvent>.Continuation)
    /// `whenEnded` is called when nothing of the session is left.
    case end(SessionID, whenEnded: @Sendable () -> Void)
  }

  struct SessionID: Hashable, Sendable {
    fileprivate let number: Int
  }

  private struct Contents {
    var commands: [Command] = []
    var sessionsMade = 0
  }

  private let contents = Mutex(Contents())
  /// Readable while there are commands; for `poll`.
  let descriptor: Int32
  private let writeDescriptor: Int32

  /// `nil` if the process has no descriptors left for it.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, writeDescriptor) = (ends[0], ends[1])
  }

  func newSession() -> SessionID {
    contents.withLock {
      $0.sessionsMade += 1
      return SessionID(number: $0.sessionsMade)
    }
  }

  func post(_ command: Command) {
    contents.withLock {
      // One byte is in the pipe exactly while there are commands: neither end ever waits.
      if $0.commands.isEmpty { writeByte() }
      $0.commands.append(command)
    }
  }

  func takeAll() -> [Command] {
    contents.withLock { contents in
      guard !contents.commands.isEmpty else { return [] }
      readByte()
      defer { contents.commands = [] }
      return contents.commands
    }
  }

  private func writeByte() {
    var byte: UInt8 = 0
    while write(writeDescriptor, &byte, 1) < 0 && errno == EINTR {}
  }

  private func readByte() {
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) < 0 && errno == EINTR {}
  }
}
