import DequeModule

/// The attempts that an idle system could help at the end of an engagement, when nothing is left to
/// hand out.
///
/// An attempt that only waits in its system's queue can be *stolen* at no loss (work stealing, as
/// Blumofe & Leiserson 1999). An attempt whose scan *straggles*, having run far longer than the others
/// of its pass, can be hedged. Each attempt is here from its hand-out until it ends or is taken.
struct Stragglers: Sendable {
  enum Stage {
    /// The attempt was sent at this instant, and may be about to start.
    case sent(Instant)
    /// The attempt waits in its system's queue until others end.
    case waiting
    case running(since: Instant)
    case straggling
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
  static let transit = Duration.milliseconds(50)
  /// Each recall of a task doubles the time that its next attempt is in transit, up to as many
  /// recalls as this (exponential back-off, as Metcalfe & Boggs 1976). A system that seems idle may be
  /// full of other engagements' tasks, and moves alone would fill the queues.
  static let mostDoublings: UInt8 = 10

  private(set) var entries = SlotMap<Entry>()
  /// The attempts in transit, by the recalls of their tasks, since each number has its own time.
  private var sent: [Deque<Attempt.ID>] = []
  /// By pass, as each pass has a patience of its own; in the order of the passes.
  private var running: [(pass: Int, ids: Deque<Attempt.ID>)] = []
  /// The attempts that straggle, and some that have ended since.
  var straggling: Deque<Attempt.ID> = []
  /// The systems with at least one candidate.
  var holders: [Incarnation: Holder] = [:]
  /// The systems that can take no candidate.
  var unsuitable: Set<Incarnation> = []

  // MARK: Events

  mutating func began(_ attempt: Attempt, at now: Instant) {
    entries[attempt.id] = Entry(attempt: attempt, stage: .sent(now))
    let recalls = Int(attempt.recalls)
    while sent.count <= recalls { sent.append([]) }
    sent[recalls].append(attempt.id)
  }

  mutating func started(_ id: Attempt.ID, at start: Instant, mayHedge: Bool) {
    guard let entry = entries[id] else { return }
    switch entry.stage {
    case .running, .straggling: return
    case .sent, .waiting: removeCandidate(entry)
    }
    entries[id]?.stage = .running(since: start)
    if mayHedge { addRunning(id, of: entry.attempt.task.pass) }
  }

  private mutating func addRunning(_ id: Attempt.ID, of pass: Int) {
    let place = running.firstIndex { $0.pass >= pass } ?? running.endIndex
    if place == running.endIndex || running[place].pass != pass {
      running.insert((pass, [id]), at: place)
    } else {
      running[place].ids.append(id)
    }
  }

  mutating func ended(_ id: Attempt.ID) {
    if let entry = entries.removeValue(forKey: id) { removeCandidate(entry) }
  }

  /// Time has passed: some attempts now count as waiting, or straggle.
  ///
  /// - Parameter patience: how long a scan of this pass may run before it straggles.
  mutating func advance(to now: Instant, patience: (_ pass: Int) -> Duration?) {
    for recalls in sent.indices {
      while let id = sent[recalls].first {
        if let entry = entries[id], case .sent(let since) = entry.stage {
          if now < since + Self.transit(after: recalls) { break }
          entries[id]?.stage = .waiting
          holders[entry.attempt.slot.system, default: Holder()].waiting.append(id)
          holders[entry.attempt.slot.system]?.waitingCount += 1
          unsuitable = []
        }
        sent[recalls].removeFirst()
      }
    }
    for place in running.indices {
      while let id = running[place].ids.first {
        if let entry = entries[id], case .running(let since) = entry.stage {
          guard let limit = patience(running[place].pass), since + limit <= now else { break }
          entries[id]?.stage = .straggling
          straggling.append(id)
          holders[entry.attempt.slot.system, default: Holder()].stragglingCount += 1
          unsuitable = []
        }
        running[place].ids.removeFirst()
      }
    }
  }

  /// The next instant at which ``advance(to:patience:)`` may change anything.
  func next(patience: (_ pass: Int) -> Duration?) -> Instant? {
    var next: Instant?
    for (recalls, ids) in sent.enumerated() {
      guard let id = ids.first, let entry = entries[id], case .sent(let since) = entry.stage
      else { continue }
      let end = since + Self.transit(after: recalls)
      next = min(next ?? end, end)
    }
    for (pass, ids) in running {
      guard let id = ids.first, let entry = entries[id], case .running(let since) = entry.stage,
        let limit = patience(pass)
      else { continue }
      next = min(next ?? since + limit, since + limit)
    }
    return next
  }

  private static func transit(after recalls: Int) -> Duration { transit * (1 << recalls) }

  private mutating func removeCandidate(_ entry: Entry) {
    let system = entry.attempt.slot.system
    switch entry.stage {
    case .sent, .running: return
    case .waiting: holders[system]?.waitingCount -= 1
    case .straggling: holders[system]?.stragglingCount -= 1
    }
    guard let holder = holders[system] else { return }
    if holder.waitingCount == 0, holder.stragglingCount == 0 { holders[system] = nil }
  }
}
