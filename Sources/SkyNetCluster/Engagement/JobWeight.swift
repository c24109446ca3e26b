import SkyNetCore
import Synchronization

/// How long a job's own code takes: making sectors, receiving outputs, and reporting them.
///
/// Where answers arrive nothing may wait, but what runs there costs no switch of threads. So an
/// engagement may go there when its job has shown, for a while, that its code returns at once.
final class JobWeight: Sendable {
  /// What a light job's call may take: less than to wake another thread a few times. What it takes
  /// beyond that, the calls after it pay back that take less.
  private static let allowance = Duration.microseconds(50).inNanoseconds
  /// What a light job may owe. A thread that the kernel lets stand for a moment makes none heavy.
  private static let limit = 64 * allowance
  /// What a job owes at first, and at the most: so it is light after 64 calls that took no time.
  private static let most = 2 * limit

  private let owed = Atomic<Int64>(most)

  /// A call of the job's code took this long.
  func took(_ duration: Duration) {
    let overtime = duration.inNanoseconds - Self.allowance
    var owed = owed.load(ordering: .relaxed)
    while true {
      let new = min(max(0, owed + overtime), Self.most)
      guard new != owed else { return }
      let (isExchanged, current) = self.owed.weakCompareExchange(
        expected: owed, desired: new, ordering: .relaxed)
      guard !isExchanged else { return }
      owed = current
    }
  }

  var isLight: Bool { owed.load(ordering: .relaxed) <= Self.limit }
}

extension Duration {
  /// At most a day of them, which is more than anybody is allowed; 0 of what a clock has going back.
  fileprivate var inNanoseconds: Int64 {
    let (seconds, attoseconds) = max(.zero, self).components
    return min(seconds, 86_400) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
