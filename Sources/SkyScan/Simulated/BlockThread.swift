import Foundation

/// Blocks the thread until the seconds are over, in slices short enough that a cancelled task
/// notices soon.
///
/// Each slice is measured against one deadline, so that slices which wake late do not add up.
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
    Thread.sleep(forTimeInterval: min(left, slice) / .seconds(1))
  }
}
