/// The counts of one engagement, as its summary reports them.
public struct Tally: Hashable, Sendable {
  /// The number of sectors. It increases as a growing job adds parts.
  public private(set) var total: Int
  /// The number of sectors with a result.
  public private(set) var completed = 0
  /// The number of sectors that were given up.
  public private(set) var failed = 0
  /// The number of sectors that have their result from an earlier process. ``completed`` includes
  /// them.
  public private(set) var restoredCount = 0
  /// The number of attempts that failed and were followed by another.
  public private(set) var retried = 0
  /// The number of attempts in flight, by the system's name. Of many names, those without attempts
  /// are forgotten, as peers choose their names.
  public private(set) var inFlight: [String: Int] = [:]
  private var namesLimit = Self.smallestNamesLimit
  private static let smallestNamesLimit = 64
  private var shares: [String: Int] = [:]
  private var first: Instant?
  private var last: Instant?

  /// Makes the counts of an engagement of so many sectors, none of which has ended.
  public init(total: Int) {
    self.total = total
  }

  package mutating func grew(by sectors: Int) { total += sectors }

  package mutating func handedOut(to system: String, at now: Instant) {
    if first == nil { first = now }
    inFlight[system, default: 0] += 1
    guard inFlight.count > namesLimit else { return }
    inFlight = inFlight.filter { $0.value > 0 }
    namesLimit = max(Self.smallestNamesLimit, 2 * inFlight.count)
  }

  package mutating func cameBack(from system: String) { inFlight[system, default: 0] -= 1 }

  /// A system has another name from now on, which no other system has.
  package mutating func renamed(_ former: String, to name: String) {
    inFlight[name] = inFlight.removeValue(forKey: former)
    shares[name] = shares.removeValue(forKey: former)
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

  package mutating func restored() {
    completed += 1
    restoredCount += 1
  }

  package mutating func restoredFailure() { failed += 1 }

  package mutating func retriedOne() { retried += 1 }

  /// The time from the first hand-out to the last result.
  public var elapsed: Duration {
    guard let first, let last else { return .zero }
    return first.duration(to: last)
  }

  /// The time from the first hand-out until now.
  package func running(at now: Instant) -> Duration { first?.duration(to: now) ?? .zero }

  /// The number of sectors that each system completed, the largest share first.
  public var sharesBySystem: [(system: String, completed: Int)] {
    shares.map { (system: $0.key, completed: $0.value) }
      .sorted { ($1.completed, $0.system) < ($0.completed, $1.system) }
  }
}
