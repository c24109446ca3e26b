import CProcess
import Foundation
import SkyDetection
import Synchronization

/// A process that reads FITS files for this one, so that a damaged or hostile file can crash, or
/// take over, only that process.
///
/// On Linux, seccomp prevents it from opening files, connecting, tracing and starting processes
/// (see `docs/security.md`). Its memory and time are limited, and its answers are checked. It ends
/// with this process, and serves for one run only.
public final class ReaderProcess: Sendable {
  private let pid: pid_t
  private let state: Mutex<State>

  private struct State {
    var link: ReaderLink
    /// The number of images that were opened.
    var images = 0
  }

  /// Forks off the reader. Call it at the very beginning of a program: before a second thread
  /// exists (so not after the first `await`), and before the program has read any secret. The
  /// reader has a copy of all memory at that time, except the environment, which it overwrites.
  ///
  /// - Throws: `InvalidScan` if no process can be started.
  public static func start() throws -> ReaderProcess {
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
    let parent = getpid()
    let pid = process_fork()
    if pid == 0 { ReaderChild.run(socket: ends[1], parent: parent) }
    let reason = errno
    close(ends[1])
    guard pid > 0 else {
      close(ends[0])
      throw notStarted(reason)
    }
    return ReaderProcess(pid: pid, socket: ends[0])
  }

  private static func notStarted(_ reason: CInt) -> InvalidScan {
    InvalidScan(
      "no process can be started to read images (\(String(cString: strerror(reason)))); see how many "
        + "this account may have (ulimit -u)")
  }

  private init(pid: pid_t, socket: CInt) {
    self.pid = pid
    state = Mutex(State(link: ReaderLink(pid: pid, socket: socket)))
  }

  deinit { end() }

  /// Ends the reader, if it has not ended. Current and later reads fail.
  public func end() {
    let ending = state.withLockIfAvailable { $0.link.end(.ended) }
    // The thread that waits for an answer will notice that the reader is gone.
    if ending == nil { kill(pid, SIGKILL) }
  }

  /// Lets the reader attempt what it must not be able to do, such as reading that file, connecting,
  /// forking, and tracing this process.
  ///
  /// - Returns: each operation with the system's error for it; 0 if the operation succeeded.
  /// - Throws: ``FITSError`` if the reader ended.
  package func probeSandbox(file: String) throws -> [(operation: String, error: CInt)] {
    do throws(ReaderEnding) {
      let answer = try ask(.probeSandbox(file: file), bytes: 0)
      guard case .probed(let trials) = answer else { throw .impossibleAnswer("\(answer)") }
      return trials.map { ($0.operation, $0.error) }
    } catch {
      throw error.error(path: file)
    }
  }

  /// The number of the next image.
  func nextImage() -> Int {
    state.withLock { state in
      state.images += 1
      return state.images
    }
  }

  /// Sends a request, and waits for the answer.
  ///
  /// - Parameter bytes: the number of bytes that the reader may have to go through.
  /// - Throws: ``ReaderEnding``, which may have happened in an earlier request.
  func ask(
    _ request: ReaderRequest, descriptors: [CInt] = [], bytes: Int
  ) throws(ReaderEnding) -> ReaderAnswer {
    let result = state.withLock { state in
      Result { () throws(ReaderEnding) in try state.link.ask(request, descriptors, bytes) }
    }
    return try result.get()
  }

  /// Ends the reader because of an impossible answer.
  func refuse(_ answer: ReaderAnswer) -> ReaderEnding {
    let ending = ReaderEnding.impossibleAnswer("\(answer)".prefix(80).description.inOneLine)
    state.withLock { _ = $0.link.end(ending) }
    return ending
  }
}
