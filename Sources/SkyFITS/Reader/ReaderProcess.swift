import CProcess
import Foundation
import SkyDetection
import Synchronization

/// A process that reads FITS files for this one, so that a file that is damaged or hostile can end, or
/// take over, that process alone.
///
/// On Linux it can open, connect to, trace and start nothing, for which seccomp sees (see
/// `docs/security.md`); its memory and time are limited. What it answers is checked. It ends with this
/// process, and reads for one run only.
public final class ReaderProcess: Sendable {
  private let pid: pid_t
  private let state: Mutex<State>

  private struct State {
    var link: ReaderLink
    /// How many images were opened.
    var images = 0
  }

  /// Forks off the reader. To be called at the very beginning of a program, before it has a second
  /// thread (so not after the first `await`) and before it has read any secret: the reader has a copy of
  /// everything that is in memory then, except the environment, which it overwrites.
  ///
  /// - Throws: ``InvalidScan`` if no process can be started.
  public static func start() throws -> ReaderProcess {
    var ends: [CInt] = [-1, -1]
    #if os(Linux)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw notStarted(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A reader that takes no request for so long will not.
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

  /// Ends the reader, if it has not ended. What is read afterwards, and what is being read, fails.
  public func end() {
    let ending = state.withLockIfAvailable { $0.link.end(.ended) }
    // The thread that waits for an answer will see that there is none.
    if ending == nil { kill(pid, SIGKILL) }
  }

  /// Has the reader try what it must not be able to do: to read that file, to connect, to fork, to trace
  /// this process and so on.
  ///
  /// - Returns: each of them, and the system's error for it, 0 if it could be done.
  /// - Throws: ``FITSError`` if the reader ended.
  public func tryForbidden(file: String) throws -> [(deed: String, error: CInt)] {
    do throws(ReaderEnding) {
      let answer = try ask(.tryForbidden(file: file), bytes: 0)
      guard case .tried(let trials) = answer else { throw .impossibleAnswer("\(answer)") }
      return trials.map { ($0.deed, $0.error) }
    } catch {
      throw error.error(path: file)
    }
  }

  /// A number for a further image.
  func nextImage() -> Int {
    state.withLock { state in
      state.images += 1
      return state.images
    }
  }

  /// Asks, and waits for the answer.
  ///
  /// - Parameter bytes: how many the reader may have to go through.
  /// - Throws: ``ReaderEnding``, also of an earlier request.
  func ask(
    _ request: ReaderRequest, descriptors: [CInt] = [], bytes: Int
  ) throws(ReaderEnding) -> ReaderAnswer {
    let result = state.withLock { state in
      Result { () throws(ReaderEnding) in try state.link.ask(request, descriptors, bytes) }
    }
    return try result.get()
  }

  /// Ends the reader for an answer that cannot be.
  func refuse(_ answer: ReaderAnswer) -> ReaderEnding {
    let ending = ReaderEnding.impossibleAnswer("\(answer)".prefix(80).description.inOneLine)
    state.withLock { _ = $0.link.end(ending) }
    return ending
  }
}
