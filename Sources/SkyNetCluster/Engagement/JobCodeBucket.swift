import SkyNetCore
import Synchronization

/// How long a job's own code takes: making sectors, receiving outputs, and reporting them.
///
/// Where answers arrive nothing may wait, but what runs there costs no switch of threads. So an
/// engagement may go there when its job has shown, for a while, that its code returns at once: the job is
/// light.
final class JobCodeBucket: Sendable {
  private let bucket = Mutex(LeakyBucket.jobCode)

  /// A call of the job's code took this long.
  func add(_ duration: Duration) { _ = bucket.withLock { $0.add(duration) } }

  var isLight: Bool { bucket.withLock { $0.isAtMostHalfFull } }
}
