import CProcess
import Foundation
import SkyDetection
import Synchronization

/// A process that reads FITS files for this one, so that a damaged or hostile file can crash, or
/// take over, only that process.
///
/// On Linux, seccomp prevents it from opening files, connecting, tracing and starting processes
/// (see `docs/security.md`). Its memory and time are limited, and its answers are checked. It ends
/// with this process.
///
/// If it can be replaced, then a file that ends it costs only itself: the images that were open in it are opened in
/// its successor when they are needed. Two such processes read side by side.
public final class ReaderProcess: Sendable {
  private let lanes: [ReaderLane]
  private let imageCount = Atomic<Int>(0)

  /// Forks off the reader. Call it at the very beginning of a program: before a second thread
  /// exists (so not after the first `await`), and before the program has read any secret. The
  /// reader has a copy of all memory at that time, except the environment, which it overwrites.
  ///
  /// - Parameter canReplace: whether a reader that has ended is replaced by another one. That takes a second process.
  /// - Throws: `InvalidScan` if no process can be started.
  public static func start(canReplace: Bool = false) throws -> ReaderProcess {
    let ends = try socketPair()
    let parent = getpid()
    let pid = process_fork()
    if pid == 0 { ReaderChild.run(socket: ends.child, parent: parent) }
    let reason = errno
    close(ends.child)
    guard pid > 0 else {
      close(ends.own)
      throw notStarted(reason)
    }
    let link = ReaderLink(pid: pid, socket: ends.own)
    guard canReplace else { return ReaderProcess([ReaderLane(link, spawner: nil)]) }
    let spawner = Mutex(try ReaderSpawner.start())
    let spawn: ReaderLane.Spawn = { () throws(ReaderEnding) in
      let result = spawner.withLock { spawner in
        Result { () throws(ReaderEnding) in try spawner.spawn() }
      }
      return try result.get()
    }
    return ReaderProcess([ReaderLane(link, spawner: spawn), ReaderLane(nil, spawner: spawn)])
  }

  static func socketPair() throws -> (own: CInt, child: CInt) {
    var ends: [CInt] = [-1, -1]
    #if os(Linux)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw notStarted(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A reader that accepts no request for that long will never accept one.
    var patience = timeval(tv_sec: 15, tv_usec: 0)
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return (ends[0], ends[1])
  }

  static func notStarted(_ reason: CInt) -> InvalidScan {
    InvalidScan(
      "no process can be started to read images (\(String(cString: strerror(reason)))); see how many "
        + "this account may have (ulimit -u)")
  }

  private init(_ lanes: [ReaderLane]) { self.lanes = lanes }

  deinit { end() }

  /// Ends the reader, if it has not ended. Current and later reads fail.
  public func end() {
    for lane in lanes { lane.end() }
  }

  /// Lets the reader attempt what it must not be able to do, such as reading that file, connecting,
  /// forking, and tracing this process.
  ///
  /// - Returns: each operation with the system's error for it; 0 if the operation succeeded.
  /// - Throws: ``FITSError`` if the reader ended.
  package func probeSandbox(file: String) throws -> [(operation: String, error: CInt)] {
    do throws(ReaderEnding) {
      let answer = try lanes[0].ask(.probeSandbox(file: file), bytes: 0)
      guard case .probed(let trials) = answer else { throw .impossibleAnswer("\(answer)") }
      return trials.map { ($0.operation, $0.error) }
    } catch {
      throw error.error(path: file)
    }
  }

  /// The number of the next image, and the one that reads it among the processes that read side by side.
  func nextImage() -> (number: Int, lane: ReaderLane) {
    let number = imageCount.add(1, ordering: .relaxed).newValue
    return (number, lanes[number % lanes.count])
  }
}
