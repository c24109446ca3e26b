import CProcess
import Foundation
import Synchronization

/// This process's end of what connects it with a keeper.
struct KeeperLink: Sendable {
  let slot: Int
  let socket: ProcessSocket
  /// A pipe by which another thread wakes the one that waits for the keeper.
  let wake: (reading: CInt, writing: CInt)

  /// - Parameter socket: is closed by ``close()``, unless this fails.
  init(slot: Int, socket: CInt) throws(ProgramFault) {
    (self.slot, self.socket) = (slot, ProcessSocket(socket: socket))
    wake = try Self.pipe()
  }

  func close() {
    for descriptor in [socket.socket, wake.reading, wake.writing] {
      _ = Foundation.close(descriptor)
    }
  }

  /// Whether the keeper has something to say: without an order, only that it is gone.
  var hasNews: Bool {
    var file = pollfd(fd: socket.socket, events: Int16(POLLIN), revents: 0)
    return poll(&file, 1, 0) > 0
  }

  /// Takes back what wakes the thread.
  func quiet() {
    var byte: UInt8 = 0
    while read(wake.reading, &byte, 1) > 0 {}
  }

  /// A pipe that programs do not inherit, and from which reading does not block.
  static func pipe() throws(ProgramFault) -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [-1, -1]
    guard process_pipe(&ends) == 0 else { throw .notStarted(.process, errno) }
    return (ends[0], ends[1])
  }
}

/// Wakes the thread that waits for a program, if it still does.
final class WakeUp: Sendable {
  private let writing: Mutex<CInt?>

  init(_ keeper: KeeperLink) {
    // An earlier program may have ended when it was cancelled.
    keeper.quiet()
    writing = Mutex(keeper.wake.writing)
  }

  func ring() {
    writing.withLock { writing in
      var byte: UInt8 = 0
      if let writing { _ = write(writing, &byte, 1) }
    }
  }

  /// Rings no more.
  func end() { writing.withLock { $0 = nil } }
}
