/// A record of the places where systems were lost, from which a new incarnation there is paused or
/// trusted.
///
/// A process that is restarted again and again and dies young each time draws work and loses it. So
/// its next incarnation gets nothing until it has lived for twice as long as the longest of those
/// before it, and for longer each time. Then it gets one attempt at a time (``CircuitBreaker``). An
/// incarnation that dies while it runs nothing was killed by no task. In that case its place kills,
/// and the earlier losses there are the place's doing too. The later ones are not, until one more
/// dies while it runs nothing: a task of another coordinator may have killed that incarnation, and a
/// place that was to blame once must not excuse a poison task for ever. An incarnation that returns
/// more than is lost with it clears its place.
///
/// Only when another incarnation appears at a place is it known that the one before has died. An
/// incarnation that comes back itself was cut off, and goes on with its life.
struct Places: Sendable {
  /// The most places to remember. A name costs its owner nothing, so it must not cost memory here.
  static let limit = 1024
  /// The most incarnations of one place to remember.
  static let incarnationLimit = 32
  /// The shortest and the longest pause after a first young death, which may be an accident. Both
  /// double with each young death that follows.
  private static let shortestFirstPause = Duration.seconds(1)
  private static let longestFirstPause = Duration.seconds(30)
  /// The longest pause of all.
  private static let longestPause = Duration.seconds(600)

  private struct Record {
    /// The lives of incarnations that are gone and may come back.
    var gone: [Life] = []
    /// The incarnations before the present one, the latest last.
    var dead: [Incarnation] = []
    /// The dead ones since the last one that did not die young.
    var diedYoung: [Incarnation] = []
    var youngDeaths = 0
    /// The longest of the short lives.
    var longest = Duration.zero
    /// The ones that died young, up to the last that ran nothing when it died: their place killed them.
    var killed: [Incarnation] = []
    /// When a system last came or went there.
    var latest: Instant
  }

  private var records: [Place: Record] = [:]

  /// A system joins: it begins its life, or goes on with it.
  mutating func joined(_ id: Incarnation, at place: Place, _ now: Instant) -> Life {
    var life = Life(id: id, start: now)
    guard var record = records[place] else { return life }
    if let index = record.gone.firstIndex(where: { $0.id == id }) {
      // The system was cut off, and nothing died.
      life = record.gone.remove(at: index)
      life.end = nil
      life.lost = 0
    } else {
      for life in record.gone { Self.recordDeath(life, &record) }
      record.gone = []
      life.pauseEnd = Self.pause(after: record).map { now + $0 }
    }
    record.latest = now
    records[place] = record
    return life
  }

  /// A system is gone without having said that it leaves.
  mutating func left(_ life: Life, at place: Place, _ now: Instant) {
    if records[place] == nil, records.count >= Self.limit {
      // The place where nothing has happened for longest is forgotten.
      let oldest = records.min { $0.value.latest < $1.value.latest }?.key
      if let oldest { records[oldest] = nil }
    }
    var record = records[place] ?? Record(latest: now)
    record.gone = (record.gone + [life]).suffix(Self.incarnationLimit)
    record.latest = now
    records[place] = record
  }

  /// The incarnations that were at a place before.
  func former(at place: Place) -> [Incarnation] { records[place]?.dead ?? [] }

  /// The incarnations that their place killed.
  func killed(by place: Place) -> [Incarnation] { records[place]?.killed ?? [] }

  private static func recordDeath(_ life: Life, _ record: inout Record) {
    record.dead = (record.dead + [life.id]).suffix(incarnationLimit)
    guard life.diedYoung else {
      record.diedYoung = []
      record.youngDeaths = 0
      record.longest = .zero
      record.killed = []
      return
    }
    record.diedYoung = (record.diedYoung + [life.id]).suffix(incarnationLimit)
    record.youngDeaths += 1
    record.longest = max(record.longest, life.length)
    if life.wasIdle { record.killed = record.diedYoung }
  }

  private static func pause(after record: Record) -> Duration? {
    guard record.youngDeaths > 0 else { return nil }
    let doublings = 1 << min(record.youngDeaths - 1, 16)
    let pause = max(record.longest * 2, shortestFirstPause * doublings)
    return min(pause, longestFirstPause * doublings, longestPause)
  }
}
