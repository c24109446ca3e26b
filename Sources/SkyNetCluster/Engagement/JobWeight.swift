import SkyNetCore
import Synchronization

/// How long a job's own code takes: making sectors, receiving outputs, and reporting them.
///
/// Where answers arrive nothing may wait, but what runs there costs no switch of threads. So an engagement may go there when its job
/// has shown, for a while, that its code returns at once.
final class JobWeight: Sendable {
  /// Less than it takes to wake another thread a few times.
  private static let lightest = Duration.microseconds(50)
  /// So many light calls in a row are no accident. One that was not, be it that its thread had to
  /// stand back, makes the job heavy until there were as many again.
  private static let calls = 64

  private let lightCalls = Atomic<Int>(0)

  /// A call of the job's code took this long.
  func took(_ duration: Duration) {
    if duration > Self.lightest {
      lightCalls.store(0, ordering: .relaxed)
    } else if lightCalls.load(ordering: .relaxed) < Self.calls {
      lightCalls.add(1, ordering: .relaxed)
    }
  }

  var isLight: Bool { lightCalls.load(ordering: .relaxed) >= Self.calls }
}
