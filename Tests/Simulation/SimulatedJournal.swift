import SkyNetCore

/// The content of a journal. One process after another records into it, and each reads it when it
/// begins.
final class SimulatedJournal {
  private enum Entry {
    case began(Attempt, isLocal: Bool)
    case ended(Attempt, AttemptOutcome)
    case forgave(TaskID, Incarnation)
    case accepted(TaskID, added: [TaskRange])
    case gaveUp(TaskID)
    case part(Range<Int>)
  }

  /// The content of the journal for a process that begins.
  struct Past {
    var tasks: [TaskRange] = []
    var stories: [TaskID: TaskStory] = [:]
    var losses = Losses()
    /// The parts of a growing job.
    var parts: Set<Range<Int>> = []

    /// The tasks of a part that are left, with their stories.
    ///
    /// - Parameter isKnown: whether the tasks of these sectors are known although they are no part.
    func left(
      in sectors: Range<Int>, isKnown: Bool = false
    ) -> (tasks: [TaskRange], stories: [TaskID: TaskStory]) {
      guard isKnown || parts.contains(sectors) else { return ([TaskRange(sectors: sectors)], [:]) }
      return (
        tasks.map { TaskRange(pass: $0.pass, sectors: $0.sectors.clamped(to: sectors)) }
          .filter { !$0.sectors.isEmpty },
        stories.filter { sectors.contains($0.key.sector) }
      )
    }
  }

  private let tasks: [TaskRange]
  /// Whether to lose a result on purpose, to show that the simulation notices.
  private let forgetsResult: Bool
  private var entries: [(time: Instant, entry: Entry)] = []
  /// The number of entries that are on the disk for certain.
  private var committed = 0

  init(_ tasks: [TaskRange], forgetsResult: Bool) {
    self.tasks = tasks
    self.forgetsResult = forgetsResult
  }

  /// An attempt on the local system is on the disk before its scan starts, which may kill the
  /// process.
  func began(_ attempt: Attempt, isLocal: Bool, at now: Instant) {
    entries.append((now, .began(attempt, isLocal: isLocal)))
    if isLocal { committed = entries.count }
  }

  func ended(_ attempt: Attempt, _ ending: AttemptOutcome, at now: Instant) {
    entries.append((now, .ended(attempt, ending)))
  }

  func forgave(_ task: TaskID, _ system: Incarnation, at now: Instant) {
    entries.append((now, .forgave(task, system)))
  }

  func accepted(_ task: TaskID, added: [TaskRange], at now: Instant) {
    entries.append((now, .accepted(task, added: added)))
  }

  func grew(by part: Range<Int>, at now: Instant) {
    guard !all.contains(where: { if case .part(part) = $0 { true } else { false } }) else { return }
    entries.append((now, .part(part)))
  }

  func gaveUp(_ task: TaskID, at now: Instant) { entries.append((now, .gaveUp(task))) }

  /// The process died. The entries from this time on were not yet written.
  func lose(since time: Instant) {
    while entries.count > committed, let last = entries.last, last.time >= time {
      entries.removeLast()
    }
    committed = entries.count
    closeOpenAttempts()
  }

  /// Records the attempts that were open when the process died: how they ended is unknown.
  private func closeOpenAttempts() {
    var open: [Attempt.ID: (attempt: Attempt, isLocal: Bool)] = [:]
    for (_, entry) in entries {
      switch entry {
      case .began(let attempt, let isLocal): open[attempt.id] = (attempt, isLocal)
      case .ended(let attempt, _): open[attempt.id] = nil
      case .accepted(let task, _): open = open.filter { $0.value.attempt.task != task }
      case .forgave, .gaveUp, .part: break
      }
    }
    left += open.values.sorted { $0.attempt.id < $1.attempt.id }
    // The ids of attempts mean nothing to the next process.
    past += entries.map(\.entry)
    entries = []
    committed = 0
  }

  private var past: [Entry] = []
  private var left: [(attempt: Attempt, isLocal: Bool)] = []

  private var all: [Entry] { past + entries.map(\.entry) }

  /// The tasks that are left to do, with their stories.
  func fold() -> Past {
    var result = Past()
    var lost: [Incarnation: Int] = [:]
    var over: Set<TaskID> = []
    var all = tasks
    for entry in past {
      switch entry {
      case .began(let attempt, _):
        result.stories[attempt.task, default: TaskStory()].began()
        result.losses.attempts += 1
      case .ended(let attempt, let ending):
        if case .lost(_, _, hadStarted: true) = ending {
          lost[attempt.slot.system, default: 0] += 1
        }
        result.stories[attempt.task]?.ended(
          ending, on: attempt.slot.system, named: attempt.slot.name)
      case .forgave(let task, let system):
        lost[system] = nil
        _ = result.stories[task]?.returned(system)
      case .accepted(let task, let added):
        over.insert(task)
        all += added
      case .gaveUp(let task): over.insert(task)
      case .part(let sectors):
        result.parts.insert(sectors)
        all.append(TaskRange(sectors: sectors))
      }
    }
    for (attempt, isLocal) in left {
      if isLocal { lost[attempt.slot.system, default: 0] += 1 }
      let ending: AttemptOutcome =
        isLocal
        ? .lost(reason: "the process died", hadStarted: true)
        : .withdrawn(reason: "the process died")
      result.stories[attempt.task]?.ended(
        ending, on: attempt.slot.system, named: attempt.slot.name)
    }
    result.losses = Losses(attempts: result.losses.attempts, bySystem: lost)
    if forgetsResult, let first = over.min() { over.remove(first) }
    for task in over { result.stories[task] = nil }
    var runs = TaskRuns()
    for task in over.sorted() { runs.append(task) }
    result.tasks = all.subtracting(runs)
    return result
  }

  /// The violations: every known task must have exactly one end, except that those in `abandoned`
  /// have none here.
  func violations(except abandoned: Set<TaskID>, isComplete: Bool) -> [String] {
    var ends: [TaskID: Int] = [:]
    var known = Set(tasks.flatMap(\.ids))
    for entry in all {
      switch entry {
      case .accepted(let task, let added):
        ends[task, default: 0] += 1
        known.formUnion(added.flatMap(\.ids))
      case .gaveUp(let task): ends[task, default: 0] += 1
      case .part(let sectors): known.formUnion(TaskRange(sectors: sectors).ids)
      case .began, .ended, .forgave: break
      }
    }
    return known.sorted().compactMap { task in
      let count = ends[task, default: 0] + (abandoned.contains(task) ? 1 : 0)
      if count > 1 { return "\(task) has \(count) ends in the journal" }
      return count == 0 && isComplete ? "\(task) has no end in the journal" : nil
    }
  }
}

extension TaskRange {
  var ids: [TaskID] { sectors.map { TaskID(pass: pass, sector: $0) } }
}
