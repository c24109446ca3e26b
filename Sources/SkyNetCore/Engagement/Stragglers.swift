import DequeModule

/// The attempts that an idle system could help at the end of an engagement, when nothing is left to
/// hand out.
///
/// An attempt that only waits in its system's queue can be *stolen* at no loss (work stealing, as
/// Blumofe & Leiserson 1999). An attempt whose scan *straggles*, having run far longer than the others
/// of its pass, can be hedged. Each attempt is here from its hand-out until it ends or is taken.
struct Stragglers: Sendable {
  enum Stage: Equatable {
    /// The attempt is no candidate until it has been in its line for that line's time.
    case lined(Line, since: Instant)
    /// The attempt waits in its system's queue until others end.
    case waiting
    case straggling
  }

  /// Attempts that become candidates after the same time, and so in order.
  enum Line: Comparable {
    /// The attempts were sent, and may be about to start. Each number of recalls has its own time.
    case sent(recalls: UInt8)
    /// The attempts run. Each pass has a patience of its own.
    case running(pass: Int)
  }

  struct Entry {
    let attempt: Attempt
    var stage: Stage
  }

  /// The candidates on one system. Attempts that no longer wait stay in the array until a search
  /// meets them; the counts are exact.
  struct Holder {
    var waiting: [Attempt.ID] = []
    var waitingCount = 0
    var stragglingCount = 0
  }

  /// How long an attempt is in transit before it is taken for waiting: moving one that is about to
  /// start costs more than it gains.
  let transit: Duration
  /// Each recall of a task doubles the time that its next attempt is in transit, up to as many
  /// recalls as this (exponential back-off, as Metcalfe & Boggs 1976). A system that seems idle may be
  /// full of other engagements' tasks, and moves alone would fill the queues.
  static let mostDoublings: UInt8 = 10

  private(set) var entries = SlotMap<Entry>()
  /// The attempts in each line, and some that have left it since; in the order of the lines.
  private var lines: [(line: Line, ids: Deque<Attempt.ID>)] = []
  /// The attempts that straggle, and some that have ended since.
  var straggling: Deque<Attempt.ID> = []
  /// The systems with at least one candidate.
  var holders: [Incarnation: Holder] = [:]
  /// The systems that can take no candidate.
  var unsuitable: Set<Incarnation> = []

  init(transit: Duration) { self.transit = transit }

  // MARK: Events

  mutating func began(_ attempt: Attempt, at now: Instant) {
    let line = Line.sent(recalls: attempt.recalls)
    entries[attempt.id] = Entry(attempt: attempt, stage: .lined(line, since: now))
    add(attempt.id, to: line)
  }

  mutating func started(_ id: Attempt.ID, at start: Instant, mayHedge: Bool) {
    guard let entry = entries[id] else { return }
    switch entry.stage {
    case .lined(.running, _), .straggling: return
    case .lined(.sent, _), .waiting: removeCandidate(entry)
    }
    let line = Line.running(pass: entry.attempt.task.pass)
    entries[id]?.stage = .lined(line, since: start)
    if mayHedge { add(id, to: line) }
  }

  private mutating func add(_ id: Attempt.ID, to line: Line) {
    let place = lines.firstIndex { $0.line >= line } ?? lines.endIndex
    if place == lines.endIndex || lines[place].line != line { lines.insert((line, []), at: place) }
    lines[place].ids.append(id)
  }

  mutating func ended(_ id: Attempt.ID) {
    if let entry = entries.removeValue(forKey: id) { removeCandidate(entry) }
  }

  /// Time has passed: some attempts now count as waiting, or straggle.
  ///
  /// - Parameter patience: how long a scan of this pass may run before it straggles.
  mutating func advance(to now: Instant, patience: (_ pass: Int) -> Duration?) {
    for place in lines.indices {
      let line = lines[place].line
      while let id = lines[place].ids.first {
        if let entry = entries[id], case .lined(line, let since) = entry.stage {
          guard let time = time(in: line, patience), since + time <= now else { break }
          let system = entry.attempt.slot.system
          if case .sent = line {
            entries[id]?.stage = .waiting
            holders[system, default: Holder()].waiting.append(id)
            holders[system]?.waitingCount += 1
          } else {
            entries[id]?.stage = .straggling
            straggling.append(id)
            holders[system, default: Holder()].stragglingCount += 1
          }
          unsuitable = []
        }
        lines[place].ids.removeFirst()
      }
    }
  }

  /// The next instant at which ``advance(to:patience:)`` may change anything.
  func next(patience: (_ pass: Int) -> Duration?) -> Instant? {
    var next: Instant?
    for (line, ids) in lines {
      guard let id = ids.first, case .lined(line, let since) = entries[id]?.stage,
        let time = time(in: line, patience)
      else { continue }
      next = min(next ?? since + time, since + time)
    }
    return next
  }

  private func time(in line: Line, _ patience: (_ pass: Int) -> Duration?) -> Duration? {
    switch line {
    case .sent(let recalls): transit * (1 << Int(recalls))
    case .running(let pass): patience(pass)
    }
  }

  private mutating func removeCandidate(_ entry: Entry) {
    let system = entry.attempt.slot.system
    switch entry.stage {
    case .lined: return
    case .waiting: holders[system]?.waitingCount -= 1
    case .straggling: holders[system]?.stragglingCount -= 1
    }
    guard let holder = holders[system] else { return }
    if holder.waitingCount == 0, holder.stragglingCount == 0 { holders[system] = nil }
  }
}
