import DequeModule

/// The end of an engagement, when nothing is left to hand out: which attempts would be better off
/// on a system that is idle.
///
/// Two kinds would. An attempt that only waits in its system's queue can be *recalled*, at no loss.
/// One whose scan *straggles*, having run far longer than its like, can be tried a second time. An
/// attempt is looked after here from its hand-out until it ends or is taken.
struct Tail: Sendable {
  enum Candidate: Hashable, Sendable {
    case recall(Attempt)
    case hedge(Attempt)

    var attempt: Attempt {
      switch self {
      case .recall(let attempt), .hedge(let attempt): attempt
      }
    }
  }

  private enum Stage {
    /// Sent; it may be about to start.
    case sent(Instant)
    /// It waits for others to end.
    case waiting
    case running(since: Instant)
    case straggling
  }

  private struct Entry {
    let attempt: Attempt
    var stage: Stage
  }

  /// What one system holds. Those that are no candidates any more are left in the arrays until
  /// they are come upon.
  private struct Holder {
    var waiting: [Attempt.ID] = []
    var straggling: [Attempt.ID] = []
    var candidates = 0
  }

  /// How long an attempt may be on its way before it is taken for waiting. Moving one that is about
  /// to start costs more than it gains.
  static let transit = Duration.milliseconds(50)

  private var entries: [Attempt.ID: Entry] = [:]
  private var sent: Deque<Attempt.ID> = []
  private var running: Deque<Attempt.ID> = []
  /// Systems with at least one candidate.
  private var holders: [Incarnation: Holder] = [:]

  // MARK: Events

  mutating func began(_ attempt: Attempt, at now: Instant) {
    entries[attempt.id] = Entry(attempt: attempt, stage: .sent(now))
    sent.append(attempt.id)
  }

  /// - Parameter mayStraggle: whether it may be tried a second time.
  mutating func started(_ id: Attempt.ID, at start: Instant, mayStraggle: Bool) {
    guard let entry = entries[id] else { return }
    switch entry.stage {
    case .running, .straggling: return
    case .waiting: leaves(entry.attempt.slot.system)
    case .sent: break
    }
    entries[id]?.stage = .running(since: start)
    if mayStraggle { running.append(id) }
  }

  mutating func ended(_ id: Attempt.ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    switch entry.stage {
    case .waiting, .straggling: leaves(entry.attempt.slot.system)
    case .sent, .running: break
    }
  }

  /// Time has passed: some attempts wait for certain now, or straggle.
  ///
  /// - Parameter patience: how long an attempt's scan may run before it straggles, if that is known.
  mutating func advance(to now: Instant, patience: (Attempt) -> Duration?) {
    while let id = sent.first {
      if let entry = entries[id], case .sent(let since) = entry.stage {
        if now < since + Self.transit { break }
        entries[id]?.stage = .waiting
        holders[entry.attempt.slot.system, default: Holder()].waiting.append(id)
        holders[entry.attempt.slot.system]?.candidates += 1
      }
      sent.removeFirst()
    }
    while let id = running.first {
      if let entry = entries[id], case .running(let since) = entry.stage {
        guard let limit = patience(entry.attempt), since + limit <= now else { break }
        entries[id]?.stage = .straggling
        holders[entry.attempt.slot.system, default: Holder()].straggling.append(id)
        holders[entry.attempt.slot.system]?.candidates += 1
      }
      running.removeFirst()
    }
  }

  /// When advancing may next make a difference.
  func next(patience: (Attempt) -> Duration?) -> Instant? {
    var next: Instant?
    if let id = sent.first, let entry = entries[id], case .sent(let since) = entry.stage {
      next = since + Self.transit
    }
    if let id = running.first, let entry = entries[id], case .running(let since) = entry.stage,
      let limit = patience(entry.attempt)
    {
      next = min(next ?? since + limit, since + limit)
    }
    return next
  }

  // MARK: Decisions

  var hasCandidates: Bool { !holders.isEmpty }

  /// The only system that has candidates, if it is the only one: a slot there helps nobody.
  var onlyHolder: Incarnation? { holders.count == 1 ? holders.keys.first : nil }

  /// Takes the attempt that gains most from an idle slot on this system: the last one in the
  /// longest queue, else whatever straggles.
  ///
  /// - Parameter mayRecall: whether an attempt may be recalled to go there.
  mutating func take(
    for system: Incarnation, where mayRecall: (Attempt) -> Bool
  ) -> Candidate? {
    let others = holders.filter { $0.key != system }
      .sorted { ($1.value.waiting.count, $0.key) < ($0.value.waiting.count, $1.key) }
    for (holder, content) in others {
      for id in content.waiting.reversed() {
        guard let entry = entries[id], case .waiting = entry.stage, mayRecall(entry.attempt)
        else { continue }
        remove(id, of: holder)
        return .recall(entry.attempt)
      }
    }
    for (holder, content) in others {
      for id in content.straggling {
        guard let entry = entries[id], case .straggling = entry.stage else { continue }
        remove(id, of: holder)
        return .hedge(entry.attempt)
      }
    }
    return nil
  }

  private mutating func remove(_ id: Attempt.ID, of holder: Incarnation) {
    ended(id)
    // What lies behind it in the arrays is over too, or was passed over and will be again.
    while let last = holders[holder]?.waiting.last, entries[last] == nil {
      holders[holder]?.waiting.removeLast()
    }
  }

  private mutating func leaves(_ system: Incarnation) {
    holders[system]?.candidates -= 1
    if holders[system]?.candidates == 0 { holders[system] = nil }
  }
}
