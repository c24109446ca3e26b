/// A record of the places where systems were lost, from which a new incarnation there is paused or
/// trusted.
///
/// A process that is restarted again and again and dies young each time draws work and loses it. So
/// its next incarnation gets nothing until it has lived for twice as long as the longest of those
/// before it, and for longer each time. Then it gets one attempt at a time (``CircuitBreaker``). An
/// incarnation that dies while it runs nothing was killed by its place, and so were those that died
/// young there before it. Later ones are not, until one more dies while it runs nothing: a place that
/// was to blame once must not excuse a poison task for ever. An incarnation that returns more than is
/// lost with it clears its place.
///
/// Only when another incarnation appears at a place is it known that the one before has died. An
/// incarnation that comes back itself was cut off, and goes on with its life.
struct Places: Sendable {
  /// The most places to remember. A name costs its owner nothing.
  static let limit = 1024
  static let incarnationLimit = 32
  /// The bounds of the pause after a first young death. Both double with each one that follows.
  private static let shortestFirstPause = Duration.seconds(1)
  private static let longestFirstPause = Duration.seconds(30)
  private static let longestPause = Duration.seconds(600)

  private struct Record {
    /// Incarnations that are gone and may come back.
    var gone: [Life] = []
    /// The incarnations before the present one, the latest last.
    var dead: [Incarnation] = []
    /// The dead ones since the last one that did not die young.
    var diedYoung: [Incarnation] = []
    /// The longest of their lives.
    var longest = Duration.zero
    /// The ones that died young, up to the last that ran nothing when it died: their place killed them.
    var killed: [Incarnation] = []
    /// When a system last came or went.
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

  func former(at place: Place) -> [Incarnation] { records[place]?.dead ?? [] }

  func killed(by place: Place) -> [Incarnation] { records[place]?.killed ?? [] }

  private static func recordDeath(_ life: Life, _ record: inout Record) {
    record.dead = (record.dead + [life.id]).suffix(incarnationLimit)
    guard life.diedYoung else {
      record.diedYoung = []
      record.longest = .zero
      record.killed = []
      return
    }
    record.diedYoung = (record.diedYoung + [life.id]).suffix(incarnationLimit)
    record.longest = max(record.longest, life.length)
    if life.wasIdle { record.killed = record.diedYoung }
  }

  private static func pause(after record: Record) -> Duration? {
    guard !record.diedYoung.isEmpty else { return nil }
    let doublings = 1 << min(record.diedYoung.count - 1, 16)
    let pause = max(record.longest * 2, shortestFirstPause * doublings)
    return min(pause, longestFirstPause * doublings, longestPause)
  }
}

/// The time that one incarnation is connected to this process, from its first joining.
struct Life: Hashable, Sendable {
  /// An incarnation that lived for this long without work did not die young.
  private static let youngAge = Duration.seconds(10)

  let id: Incarnation
  let start: Instant
  /// The end of the pause in which the incarnation gets no work, because incarnations at its place
  /// die young.
  var pauseEnd: Instant?
  var completed = 0
  /// When the incarnation was last here, and how many attempts were lost with it.
  var end: Instant?
  var lost = 0

  var length: Duration { end.map { start.duration(to: $0) } ?? .zero }

  var wasIdle: Bool { lost == 0 }

  /// Whether the incarnation was of no use: it lost as much as it returned. An incarnation without
  /// work was of use if it lived for ``youngAge``, and longer than its pause.
  var diedYoung: Bool {
    guard completed <= lost else { return false }
    guard wasIdle, length >= Self.youngAge, let end else { return true }
    return pauseEnd.map { end < $0 } ?? false
  }
}

/// Where a node runs, as far as its peers can tell: its name and its host.
///
/// A restarted node is another ``Incarnation`` at the same place, whatever port it listens on.
/// Another host under the same name is another place.
package struct Place: Hashable, Sendable {
  package let name: String
  package let host: String

  package init(name: String, host: String) {
    self.name = name
    self.host = host
  }
}
