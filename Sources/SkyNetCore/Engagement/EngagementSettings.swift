/// What one engagement bears before it gives something up.
public struct EngagementSettings: Hashable, Sendable {
  /// How many attempts of a task may fail by its scan's throwing. More forgives worse luck; fewer
  /// spends less on a task that cannot succeed.
  public var attempts: Int
  /// A task that ran on this many systems when they were lost is taken for the cause; up to twice as
  /// many where systems are lost so often that chance can have put it there.
  public var deaths: Int
  /// When nothing is left to hand out, a scan that has run this many times the median of its like
  /// is tried a second time on an idle system, and the first answer counts. Less waits less for
  /// slow systems, and does more for nothing; `nil` for never.
  public var hedgeFactor: Double?
  /// How many attempts may be in flight at a time, at least 1; `nil` for as many as the systems have
  /// room for.
  public var inFlight: Int?
  /// How long a scan may run, from its start, before it is cancelled and tried elsewhere; `nil`
  /// for any time.
  public var scanTimeout: Duration?
  /// How long to wait for a first system to be there.
  public var firstSystemTimeout: Duration
  /// How long to wait for a system to come back when all are lost.
  public var noSystemTimeout: Duration

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
