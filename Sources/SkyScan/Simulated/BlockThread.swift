import Foundation

/// How long after its time Linux may let a thread sleep, to wake several at once, and mostly does:
/// the timer slack (prctl(2), PR_SET_TIMERSLACK) that a process starts with.
private let timerSlack = Duration.microseconds(50)

/// Blocks the thread until the seconds are over, in slices short enough that a cancelled task
/// notices soon.
///
/// Each slice is measured against one deadline, so that slices which wake late do not add up. The
/// last one ends earlier than the deadline by what a thread mostly wakes late; what is left then is
/// yielded away.
///
/// - Throws: `CancellationError` at most a slice after the task was cancelled.
func blockThread(for seconds: Double) throws {
  // A slow system may turn a day into more than a Duration holds; thirty years are for ever.
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
