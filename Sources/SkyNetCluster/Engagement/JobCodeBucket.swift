import SkyNetCore
import Synchronization

/// A leaky bucket of the time that a job's own code takes: to make sectors, to receive outputs, and to report
/// them.
///
/// Code on the event loop where answers arrive must not wait, as it holds up the connection, but it needs no
/// switch of threads. So an engagement may move to that event loop when its job's code has returned at once
/// for a while. Such a job is called light.
final class JobCodeBucket: Sendable {
  private let bucket = Mutex(LeakyBucket.jobCode)

  /// Adds the duration of one call of the job's code.
  func add(_ duration: Duration) { _ = bucket.withLock { $0.add(duration) } }

  /// Whether the job's code has been brief enough lately to run on the event loop where answers arrive.
  var isLight: Bool { bucket.withLock { $0.isAtMostHalfFull } }
}
