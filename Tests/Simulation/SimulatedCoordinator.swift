import SkyNetCore

/// One engagement: the real decisions, and a ledger kept apart from them to judge them by.
struct SimulatedCoordinator {
  enum End: Equatable {
    case finished
    case noSystem
  }

  struct Flight {
    let attempt: Attempt
    /// The connection it went out by; `nil` if there was none any more.
    let link: Int?
    let sent: Instant
    var start: Instant?
    /// Whether the engagement wants to know when it starts.
    var isWatched = false
  }

  static let kind = ScanKind(name: "simulated", version: 1)

  let id: Incarnation
  let journal: SimulatedJournal?
  /// Its process crashed.
  var isDead = false
  var roster = Roster()
  var engagement: Engagement
  var links: [Incarnation: Int] = [:]
  /// Calls that were not answered.
  var flights: [Attempt.ID: Flight] = [:]
  /// The tasks that urgent requests are for.
  var retries: [SlotRequest.ID: TaskID] = [:]
  /// The wish for an idle slot.
  var idleRequest: SlotRequest.ID?
  /// Wishes that were withdrawn, and may have been granted before.
  var staleWishes: Set<SlotRequest.ID> = []
  /// When the roster is to be told of the time.
  var rosterWake: Instant?
  private var nextRequest: SlotRequest.ID = 0

  // MARK: The ledger

  let findings = Findings()
  var end: End?
  var endTime: Instant?
  var isInterrupted = false
  /// Attempts that the engagement waits for.
  var open: [Attempt.ID: Attempt] = [:]
  var unended: Set<TaskID> = []
  var ended: Set<TaskID> = []
  /// Those that were given up, and left undone.
  var hopeless: Set<TaskID> = []
  var abandoned: Set<TaskID> = []
  var deaths: [TaskID: [Incarnation]] = [:]
  /// Systems that were lost while anything ran there, also in earlier processes.
  var dead: Set<Incarnation> = []
  /// Attempts at what had run at two deaths.
  var suspected: Set<Attempt.ID> = []
  /// Failed attempts by system.
  var failures: [Incarnation: Int] = [:]
  var ordinals: [TaskID: Int] = [:]
  /// Slots that count against a system that is connected.
  var counted: [Incarnation: Set<Slot>] = [:]
  /// Slots that were granted, and neither used nor given back.
  var unused: Set<Slot> = []
  var began = 0

  init(
    id: Incarnation, settings: EngagementSettings, journal: SimulatedJournal?
  ) {
    self.id = id
    self.journal = journal
    engagement = Engagement(settings: settings)
  }

  /// Whether there is still something to do for it.
  var isOver: Bool { isDead || end != nil }

  var systems: Int { roster.members.count { !$0.isDraining } }

  mutating func request(
    _ count: Int, for task: TaskID? = nil, avoiding: [Incarnation] = [],
    _ priority: SlotRequest.Priority, _ caution: SlotRequest.Caution = .none
  ) -> SlotRequest {
    nextRequest += 1
    retries[nextRequest] = task
    if priority == .idle { idleRequest = nextRequest }
    return SlotRequest(
      id: nextRequest, kind: Self.kind, count: count, avoiding: avoiding, priority: priority,
      caution: caution)
  }

  mutating func restored(_ past: SimulatedJournal.Past) {
    dead = Set(past.losses.bySystem.keys)
    for (task, story) in past.stories {
      ordinals[task] = story.attempts
      deaths[task] = story.dead
    }
  }
}
