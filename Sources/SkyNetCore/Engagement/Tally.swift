/// The counts of one engagement, as its summary tells them.
public struct Tally: Hashable, Sendable {
  /// Sectors there are.
  public let total: Int
  /// Sectors with a result.
  public private(set) var completed = 0
  /// Sectors given up.
  public private(set) var failed = 0
  /// Sectors that have their result from an earlier process; among ``completed``.
  public private(set) var restoredCount = 0
  /// Attempts that failed and were followed by another.
  public private(set) var retried = 0
  /// Attempts handed out and not answered, by the system's name. Of many names those without any are
  /// forgotten: peers choose theirs.
  public private(set) var inFlight: [String: Int] = [:]
  /// Beyond so many names they are gone through.
  private var namesLimit = Self.leastNames
  private static let leastNames = 64
  private var shares: [String: Int] = [:]
  private var first: Instant?
  private var last: Instant?

  public init(total: Int) {
    self.total = total
  }

  package mutating func handedOut(to system: String, at now: Instant) {
    if first == nil { first = now }
    inFlight[system, default: 0] += 1
    if inFlight.count > namesLimit { forgetIdle() }
  }

  private mutating func forgetIdle() {
    inFlight = inFlight.filter { $0.value > 0 }
    namesLimit = max(Self.leastNames, 2 * inFlight.count)
  }

  package mutating func cameBack(from system: String) {
    inFlight[system, default: 0] -= 1
  }

  package mutating func completed(by system: String, at now: Instant) {
    completed += 1
    shares[system, default: 0] += 1
    last = now
  }

  package mutating func failed(at now: Instant) {
    failed += 1
    last = now
  }

  /// An earlier process completed a sector, as a journal tells.
  package mutating func restored() {
    completed += 1
    restoredCount += 1
  }

  /// An earlier process gave a sector up.
  package mutating func restoredFailure() {
    failed += 1
  }

  package mutating func retriedOne() {
    retried += 1
  }

  /// From the first hand-out to the last result.
  public var elapsed: Duration {
    guard let first, let last else { return .zero }
    return first.duration(to: last)
  }

  /// From the first hand-out until now.
  package func running(at now: Instant) -> Duration { first?.duration(to: now) ?? .zero }

  /// How many sectors each system completed, the largest share first.
  public var sharesBySystem: [(system: String, completed: Int)] {
    shares.map { (system: $0.key, completed: $0.value) }
      .sorted { ($1.completed, $0.system) < ($0.completed, $1.system) }
  }
}
