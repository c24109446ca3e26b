import DequeModule

/// The decisions of one engagement: which task is handed out next, and what to do when it fails.
///
/// The one owner of tasks. Each is in one place: not tried yet (`fresh`, as ranges, so that a
/// million cost no more than ten), waiting for a slot to be tried again (`retries`), in flight, or
/// ended. Only tasks that failed have a story. Each event returns actions; nothing here waits.
public struct Engagement: Sendable {
  private enum Phase {
    case running
    /// Nothing new is handed out; what is in flight is waited for.
    case interrupted
    case finished
  }

  private struct Flight {
    let attempt: Attempt
    var deadline: Instant?
  }

  /// How many slots to ask for at a time.
  private static let batch = 64

  private let settings: EngagementSettings
  private var phase = Phase.running
  private var fresh: Deque<TaskRange> = []
  private var awaitsSlots = false
  private var retries: Set<TaskID> = []
  private var inFlight: [Attempt.ID: Flight] = [:]
  /// Accepted, with what follows from its output still unknown.
  private var accepted = 0
  private var stories: [TaskID: TaskStory] = [:]
  private var nextAttempt: Attempt.ID = 0
  /// Since when there is no system at all; `nil` while there is one.
  private var aloneSince: Instant?
  private var hadSystem = false

  public init(settings: EngagementSettings) {
    self.settings = settings
  }

  /// Attempts handed out and not answered.
  public var attemptsInFlight: Int { inFlight.count }

  // MARK: Events

  /// The engagement begins with these tasks, and this many systems that can scan them.
  public mutating func began(
    _ tasks: [TaskRange], systems: Int, at now: Instant
  ) -> [EngagementAction] {
    fresh.append(contentsOf: tasks.filter { !$0.sectors.isEmpty })
    return systemsChanged(to: systems, at: now) + handOut() + finishIfDone()
  }

  /// How many systems can scan this engagement's tasks has changed.
  public mutating func systemsChanged(to count: Int, at now: Instant) -> [EngagementAction] {
    guard count == 0 else {
      hadSystem = true
      aloneSince = nil
      return []
    }
    guard aloneSince == nil else { return [] }
    aloneSince = now
    return [.wake(at: now + patience)]
  }

  /// Slots for tasks not tried yet.
  public mutating func slotsGranted(_ slots: [Slot], at now: Instant) -> [EngagementAction] {
    awaitsSlots = false
    var actions: [EngagementAction] = []
    for slot in slots {
      if phase == .running, let task = nextFresh() {
        actions.append(begin(task, on: slot))
      } else {
        actions.append(.release(slot))
      }
    }
    return actions + handOut()
  }

  /// A slot for a task that failed before.
  public mutating func slotGranted(
    _ slot: Slot, for task: TaskID, at now: Instant
  ) -> [EngagementAction] {
    guard phase == .running, retries.remove(task) != nil else { return [.release(slot)] }
    return [begin(task, on: slot)]
  }

  /// An attempt's scan has begun on its system.
  public mutating func attemptStarted(_ id: Attempt.ID, at now: Instant) -> [EngagementAction] {
    guard let timeout = settings.scanTimeout, inFlight[id] != nil else { return [] }
    inFlight[id]?.deadline = now + timeout
    return [.wake(at: now + timeout)]
  }

  /// An attempt came back, or is known not to. One that is no longer waited for changes nothing.
  public mutating func attemptEnded(
    _ id: Attempt.ID, _ outcome: AttemptOutcome, at now: Instant
  ) -> [EngagementAction] {
    guard let attempt = inFlight.removeValue(forKey: id)?.attempt else { return [] }
    switch outcome {
    case .succeeded(let seconds):
      stories[attempt.task] = nil
      accepted += 1
      return [.accept(attempt, attempts: attempt.ordinal, seconds: seconds)]
    case .failed(let failure):
      return failed(attempt, .failed(reason: failure.message), seconds: failure.seconds)
    case .lost(let reason, let hadStarted):
      return failed(attempt, .lost(reason: reason, hadStarted: hadStarted))
    case .handedBack:
      return failed(attempt, .withdrawn(reason: "the system is shutting down"))
    case .cancelled:
      return failed(attempt, .failed(reason: "cancelled"))
    }
  }

  /// The output of an accepted attempt was taken, and these tasks follow from it.
  public mutating func received(_ added: [TaskRange]) -> [EngagementAction] {
    accepted -= 1
    fresh.append(contentsOf: added.filter { !$0.sectors.isEmpty })
    return handOut() + finishIfDone()
  }

  /// An instant that was asked for has come.
  public mutating func woke(at now: Instant) -> [EngagementAction] {
    guard phase != .finished else { return [] }
    let late = inFlight.values
      .filter { $0.deadline.map { $0 <= now } ?? false }
      .map(\.attempt)
      .sorted { $0.id < $1.id }
    let actions = late.flatMap { timedOut($0) }
    // Who interrupts has given up the rest already.
    guard phase == .running, let aloneSince, aloneSince + patience <= now else { return actions }
    return actions + withoutSystems(at: now)
  }

  /// Nothing new is wanted; what runs may finish.
  public mutating func interrupted() -> [EngagementAction] {
    guard phase == .running else { return [] }
    phase = .interrupted
    return finishIfDone()
  }

  // MARK: Decisions

  private var patience: Duration {
    hadSystem ? settings.noSystemTimeout : settings.firstSystemTimeout
  }

  private mutating func nextFresh() -> TaskID? {
    guard let range = fresh.popFirst() else { return nil }
    let rest = range.sectors.dropFirst()
    if !rest.isEmpty { fresh.prepend(TaskRange(pass: range.pass, sectors: rest)) }
    return TaskID(pass: range.pass, sector: range.sectors.lowerBound)
  }

  private mutating func handOut() -> [EngagementAction] {
    guard phase == .running, !awaitsSlots, !fresh.isEmpty else { return [] }
    awaitsSlots = true
    let count = fresh.reduce(0) { min(Self.batch, $0 + $1.sectors.count) }
    return [.requestSlots(upTo: count)]
  }

  private mutating func begin(_ task: TaskID, on slot: Slot) -> EngagementAction {
    nextAttempt += 1
    let ordinal = (stories[task]?.attempts ?? 0) + 1
    stories[task]?.began()
    let attempt = Attempt(id: nextAttempt, task: task, slot: slot, ordinal: ordinal)
    inFlight[attempt.id] = Flight(attempt: attempt)
    return .begin(attempt)
  }

  private mutating func failed(
    _ attempt: Attempt, _ ending: AttemptEnding, seconds: Double? = nil
  ) -> [EngagementAction] {
    var story = stories[attempt.task] ?? TaskStory()
    if story.attempts < attempt.ordinal { story.began() }
    story.ended(ending, on: attempt.slot.system, named: attempt.slot.name, seconds: seconds)
    stories[attempt.task] = story
    if story.thrown >= settings.attempts || story.deaths >= settings.deaths {
      stories[attempt.task] = nil
      return [.giveUp(attempt.task, story)] + finishIfDone()
    }
    guard phase == .running else { return finishIfDone() }
    retries.insert(attempt.task)
    return [
      .rerun(attempt.task, story.failures[story.failures.count - 1]),
      .requestSlot(for: attempt.task, avoiding: story.systems),
    ]
  }

  private mutating func timedOut(_ attempt: Attempt) -> [EngagementAction] {
    guard let timeout = settings.scanTimeout else { return [] }
    inFlight[attempt.id] = nil
    let reason = "the scan took longer than \(timeout.inSeconds) s"
    return [.cancel(attempt)]
      + failed(attempt, .failed(reason: reason), seconds: timeout.inSeconds)
  }

  /// No system was there for as long as one was waited for.
  private mutating func withoutSystems(at now: Instant) -> [EngagementAction] {
    guard hadSystem else {
      phase = .finished
      return [.noSystem]
    }
    var actions: [EngagementAction] = []
    let none = FailedAttempt(system: "none", reason: "no system was left to scan it")
    for task in retries.sorted(by: { ($0.pass, $0.sector) < ($1.pass, $1.sector) }) {
      var story = stories.removeValue(forKey: task) ?? TaskStory()
      story.add(none)
      actions.append(.giveUp(task, story))
    }
    retries = []
    while let task = nextFresh() {
      var story = TaskStory()
      story.add(none)
      actions.append(.giveUp(task, story))
    }
    actions += finishIfDone()
    guard phase == .running else { return actions }
    // What still runs on a system that drains may yet fail, or add tasks: those end next time.
    aloneSince = now
    return actions + [.wake(at: now + patience)]
  }

  private mutating func finishIfDone() -> [EngagementAction] {
    guard phase != .finished, inFlight.isEmpty, accepted == 0 else { return [] }
    guard phase == .interrupted || (fresh.isEmpty && retries.isEmpty) else { return [] }
    phase = .finished
    return [.finish]
  }
}
