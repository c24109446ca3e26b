import Dispatch
import Synchronization

import class Foundation.Thread

/// A thread of its own for work that blocks, such as asking a name server or reading a shared file system: Swift's
/// pool has as many threads as the machine has cores, and a few that block would hold up the whole program.
///
/// It repeats its work, with a pause after each turn, until it is stopped.
final class RepeatingThread: Sendable {
  private struct State {
    var isStopped = false
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Enough for the C library's resolver. The default would count against a limit on the address space.
  private static let stackSize = 512 * 1024

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the thread's name, at most 15 bytes.
  ///   - turn: does the work once, and returns how long to pause until the next time.
  ///   - last: called once on the thread, after the last turn.
  static func start(
    _ name: String, turn: @escaping @Sendable () -> Duration,
    last: @escaping @Sendable () -> Void = {}
  ) -> RepeatingThread {
    let repeating = RepeatingThread()
    let thread = Thread {
      while !repeating.isStopped {
        let pause = turn()
        _ = repeating.wake.wait(timeout: .now() + pause.dispatched)
      }
      last()
      repeating.ended.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    // On Linux a thread takes a name only once it runs.
    thread.name = name
    return repeating
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Begins no more turns. A turn that blocks at the moment goes on, and has no further effect on this process
  /// than the thread that it holds.
  func stop() {
    state.withLock { $0.isStopped = true }
    wake.signal()
  }

  /// Stops, and waits until the thread has done its last work, for this long at most.
  func stop(waiting limit: Duration) {
    stop()
    _ = ended.wait(timeout: .now() + limit.dispatched)
  }
}

extension Duration {
  fileprivate var dispatched: DispatchTimeInterval {
    .milliseconds(Int((self / .milliseconds(1)).rounded(.up)))
  }
}
