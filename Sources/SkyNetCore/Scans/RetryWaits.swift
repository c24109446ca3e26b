/// How long a job's tasks wait before they are tried again. Other tasks get the slots meanwhile.
public struct RetryWaits: Hashable, Sendable {
  /// The wait after a task's first failure. Each further one doubles it, up to ``longest``.
  public var afterFailure: Duration
  /// How long a scan may still run after it was cancelled, if no other attempt at its task may begin meanwhile: because
  /// both would write the same files. A task whose system was lost then waits until that system has ended the scan too,
  /// as far as its timeout tells. `nil` if attempts may overlap.
  public var scanEnd: Duration?

  /// The longest wait after a failure.
  public static let longest = Duration.seconds(30)

  /// By default nothing waits.
  public init(afterFailure: Duration = .zero, scanEnd: Duration? = nil) {
    self.afterFailure = afterFailure
    self.scanEnd = scanEnd
  }

  /// - Parameter failures: how often the task has failed.
  func wait(afterFailures failures: Int) -> Duration {
    guard failures > 0 else { return .zero }
    return min(Self.longest, afterFailure * (1 << min(failures - 1, 20)))
  }
}
