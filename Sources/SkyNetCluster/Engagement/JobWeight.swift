import SkyNetCore
import Synchronization

/// How long a job's own code takes: making sectors, receiving outputs, and reporting them.
///
/// Where answers arrive nothing may wait, but what runs there costs no switch of threads. So an
/// engagement may go there when its job has shown, for a while, that its code returns at once.
final class JobWeight: Sendable {
  /// What a light job's call may take: less than to wake another thread a few times.
  private static let allowance = Duration.microseconds(50)
  /// The overtime that a light job may have.
  private static let limit = allowance * 64
  /// What a job has at first, and at the most: so it is light after 64 calls that took no time.
  private static let most = limit * 2

  private let overtime = Mutex(Overtime(allowance: allowance, most: most, sum: most))

  /// A call of the job's code took this long.
  func took(_ duration: Duration) { overtime.withLock { $0.add(duration) } }

  var isLight: Bool { overtime.withLock { $0.sum } <= Self.limit }
}
