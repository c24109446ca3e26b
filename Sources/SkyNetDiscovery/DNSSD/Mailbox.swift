import SkyNetCluster
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Passes commands from any thread to the one that owns the service references.
final class Mailbox: Sendable {
  enum Command: Sendable {
    case browse(SessionID, ServiceType, AsyncStream<DiscoveryEvent>.Continuation)
    case advertise(
      SessionID, ServiceType, Advertisement, AsyncStream<AdvertisementEvent>.Continuation)
    /// Has the sessions that browse for this type look up a name again.
    case lookAgain(String, ServiceType)
    /// Ends a session, and calls `whenEnded` when its references are closed.
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
  /// For `poll`: readable while there are commands.
  let descriptor: Int32
  private let writeDescriptor: Int32

  /// `nil` if the process has too few descriptors left.
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
      // The pipe holds one byte while there are commands, and else none, so that neither end ever waits.
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
