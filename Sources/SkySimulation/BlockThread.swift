import Foundation

/// The time by which Linux may let a thread sleep longer, and usually does, to wake several threads
/// at once: the timer slack (prctl(2), PR_SET_TIMERSLACK) that a process starts with.
private let timerSlack = Duration.microseconds(50)

/// Blocks the thread for some seconds, in slices short enough that a cancelled task notices soon.
///
/// Each slice is measured against one deadline, so slices that wake late do not add up. The last
/// slice ends before the deadline by the usual delay of a wake-up. The remaining time is spent
/// yielding the processor.
///
/// - Throws: `CancellationError` at most one slice after the task was cancelled.
func blockThread(for seconds: Double) throws {
  // A slow system may turn a day into more than a Duration holds. Thirty years count as forever.
  let duration = Duration.seconds(min(seconds, 1e9))
  let clock = ContinuousClock()
  let deadline = clock.now + duration
  let slice = Duration.milliseconds(20)
  while true {
    try Task.checkCancellation()
    let left = deadline - clock.now
    if left <= .zero { return }
    if left > timerSlack {
      Thread.sleep(forTimeInterval: min(left - timerSlack, slice) / .seconds(1))
    } else {
      sched_yield()
    }
  }
}
