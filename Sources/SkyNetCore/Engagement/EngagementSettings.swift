/// How long and how often one engagement tries before it gives up.
public struct EngagementSettings: Hashable, Sendable {
  /// The number of attempts of one task that may fail because its scan throws. A larger number
  /// forgives worse luck; a smaller one spends less on a task that cannot succeed.
  ///
  /// Whatever its attempts end with, a task gets 200 times as many: also one whose systems are lost again and again
  /// through no fault of its. Only attempts that find no room on a system (``SystemFull``) do not count.
  public var attempts: Int
  /// The number of lost systems after which a task is taken for the cause, if it ran on all of them
  /// when they were lost. Where systems are lost so often that chance can have put the task there,
  /// up to twice as many are allowed.
  public var deaths: Int
  /// When nothing is left to hand out, a scan that has run for this many times the median of its
  /// pass is hedged on an idle system, and the first answer counts. A smaller factor waits less for
  /// slow systems, and does more work in vain. `nil` turns hedging off.
  public var hedgeFactor: Double?
  /// The most attempts in flight at a time, at least 1. `nil` allows as many as the systems have
  /// room for.
  public var inFlight: Int?
  /// How long a scan may run from its start before it is cancelled and tried elsewhere. `nil`
  /// leaves the limit to the kind of scan.
  public var scanTimeout: Duration?
  /// How long the engagement waits for its first system.
  public var firstSystemTimeout: Duration
  /// How long the engagement waits for a system to come back when all are lost.
  public var noSystemTimeout: Duration
  /// The most attempts of one task, whatever they ended with.
  var ceiling: Int { max(1, attempts) * 200 }
  /// The job's own (``Job/retryWaits``).
  package var retryWaits = RetryWaits()
  /// How long a system may be out of reach here before it counts as lost.
  package var longestSilence = Duration.zero

  /// How long a task waits of which an earlier process of the run had begun a scan on another system: that may notice the
  /// process's end only by its timeout, and keep the scan for as long again. The timeout counts as this process's own.
  package var waitForEarlierScans: Duration? {
    retryWaits.scanEnd.map { $0 + longestSilence * 2 }
  }

  /// Makes settings. By default 5 attempts of a task may fail, and it is taken for the cause when 3 systems were lost
  /// with it; a scan that has run for twice the median is hedged; the engagement waits 10 seconds for its first system,
  /// and 60 if all are lost. Attempts in flight have no limit, and the scan itself sets its time limit.
  public init(
    attempts: Int = 5, deaths: Int = 3, hedgeFactor: Double? = 2, inFlight: Int? = nil,
    scanTimeout: Duration? = nil,
    firstSystemTimeout: Duration = .seconds(10), noSystemTimeout: Duration = .seconds(60)
  ) {
    self.attempts = attempts
    self.deaths = deaths
    self.hedgeFactor = hedgeFactor
    self.inFlight = inFlight
    self.scanTimeout = scanTimeout
    self.firstSystemTimeout = firstSystemTimeout
    self.noSystemTimeout = noSystemTimeout
  }
}
