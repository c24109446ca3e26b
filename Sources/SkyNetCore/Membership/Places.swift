/// Places that systems were lost at: a circuit breaker for each.
///
/// A process that is restarted again and again, and dies young each time, draws work and loses it.
/// So its next incarnation is given nothing until it has lived for twice as long as those before it
/// did, and for longer each time; then it is tried with one attempt at a time (``CircuitBreaker``). An
/// incarnation that dies while it runs nothing was killed by no task: its place dies by itself, and
/// what was lost there before is the place's doing too. One that brings more than is lost with it
/// clears its place.
///
/// Whether a system that is gone has died is known when another incarnation is at its place. One
/// that comes back as the same was cut off, and goes on with its life.
struct Places: Sendable {
  /// How many places are remembered. A name costs its owner nothing, and must not cost memory.
  static let limit = 1024
  /// How many incarnations of a place are remembered.
  static let remembered = 32
  /// After a first young death, which may be an accident: at least, and at most. Both double with
  /// each that follows.
  private static let leastPause = Duration.seconds(1)
  private static let mostPause = Duration.seconds(30)
  /// And never more than this.
  private static let longestPause = Duration.seconds(600)

  private struct Record {
    /// Those that are gone, and may come back.
    var gone: [Life] = []
    /// Those before the one that is there, the latest last.
    var dead: [Incarnation] = []
    /// Those of them that died young, since the last that did not.
    var young: [Incarnation] = []
    var youngDeaths = 0
    /// The longest of their lives.
    var longest = Duration.zero
    /// Whether one of them died while it ran nothing.
    var diedIdle = false
    /// When something happened there.
    var latest: Instant
  }

  private var records: [Place: Record] = [:]

  /// A system begins, or goes on with, its life.
  mutating func joined(_ id: Incarnation, at place: Place, _ now: Instant) -> Life {
    var life = Life(id: id, start: now)
    guard var record = records[place] else { return life }
    if let index = record.gone.firstIndex(where: { $0.id == id }) {
      // It was cut off: nothing died.
      life = record.gone.remove(at: index)
      life.end = nil
      life.lost = 0
    } else {
      for life in record.gone { Self.died(life, &record) }
      record.gone = []
      life.pauseEnd = Self.pause(record).map { now + $0 }
    }
    record.latest = now
    records[place] = record
    return life
  }

  /// A system is gone, and did not say that it leaves.
  mutating func left(_ life: Life, at place: Place, _ now: Instant) {
    if records[place] == nil, records.count >= Self.limit {
      // The one where nothing has happened for longest.
      let oldest = records.min { $0.value.latest < $1.value.latest }?.key
      if let oldest { records[oldest] = nil }
    }
    var record = records[place] ?? Record(latest: now)
    record.gone = (record.gone + [life]).suffix(Self.remembered)
    record.latest = now
    records[place] = record
  }

  /// The incarnations that were at a place before.
  func former(at place: Place) -> [Incarnation] { records[place]?.dead ?? [] }

  /// The incarnations whose deaths were their place's doing.
  func killed(by place: Place) -> [Incarnation] {
    guard let record = records[place], record.diedIdle else { return [] }
    return record.young
  }

  private static func died(_ life: Life, _ record: inout Record) {
    record.dead = (record.dead + [life.id]).suffix(remembered)
    guard life.wasYoung else {
      record.young = []
      record.youngDeaths = 0
      record.longest = .zero
      record.diedIdle = false
      return
    }
    record.young = (record.young + [life.id]).suffix(remembered)
    record.youngDeaths += 1
    record.longest = max(record.longest, life.length)
    if life.wasIdle { record.diedIdle = true }
  }

  private static func pause(_ record: Record) -> Duration? {
    guard record.youngDeaths > 0 else { return nil }
    let doublings = 1 << min(record.youngDeaths - 1, 16)
    let pause = max(record.longest * 2, leastPause * doublings)
    return min(pause, mostPause * doublings, longestPause)
  }
}
