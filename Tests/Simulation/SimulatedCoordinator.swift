import SkyNetCore

/// One engagement with the real decisions, and a separate ledger to judge them.
struct SimulatedCoordinator {
  enum End: Equatable {
    case finished
    case noSystem
  }

  struct Flight {
    let attempt: Attempt
    /// The connection that the call was sent over; `nil` if there was none any more.
    let link: Int?
    let sent: Instant
    var start: Instant?
    /// Whether the engagement asked for the start of the scan.
    var isWatched = false
  }

  static let kind = ScanKind(name: "simulated", version: 1)
  /// The run of each coordinator. No two share a roster.
  static let run = RunID(number: 1)

  let id: Incarnation
  let journal: SimulatedJournal?
  /// Whether the job grows.
  let grows: Bool
  /// Whether the process crashed.
  var isDead = false
  var roster = Roster()
  var engagement: Engagement
  var links: [Incarnation: Int] = [:]
  /// The calls that were not answered.
  var flights: [Attempt.ID: Flight] = [:]
  /// The tasks of the open urgent requests.
  var retries: [SlotRequest.ID: TaskID] = [:]
  /// The open request for an idle slot.
  var idleRequest: SlotRequest.ID?
  /// The withdrawn requests, whose grants may be on their way.
  var withdrawnRequests: Set<SlotRequest.ID> = []
  /// When the roster is to be woken.
  var rosterWake: Instant?
  private var nextRequest: SlotRequest.ID = 0

  // MARK: The ledger

  let findings = Findings()
  var end: End?
  var endTime: Instant?
  var isInterrupted = false
  /// The attempts that the engagement waits for.
  var open: [Attempt.ID: Attempt] = [:]
  var unended: Set<TaskID> = []
  var ended: Set<TaskID> = []
  /// The tasks that were given up, and those that were abandoned.
  var hopeless: Set<TaskID> = []
  var abandoned: Set<TaskID> = []
  var deaths: [TaskID: [Incarnation]] = [:]
  /// The systems that were lost while a scan ran there, also in earlier processes.
  var dead: Set<Incarnation> = []
  /// The attempts at tasks that had run at two deaths.
  var suspected: Set<Attempt.ID> = []
  /// The number of failed attempts, by system.
  var failures: [Incarnation: Int] = [:]
  var ordinals: [TaskID: Int] = [:]
  /// The slots that count against each connected system.
  var counted: [Incarnation: Set<Slot>] = [:]
  /// The connected systems that the coordinator knows to be unsuited, and whether it has known of any.
  var unsuited: Set<Incarnation> = []
  var hasKnownUnsuited = false
  /// The tasks that have failed in a way that no other attempt would mend.
  var unmendable: Set<TaskID> = []
  /// Whether an attempt that the engagement waited for has ended with an output, or with a failure of its own.
  var hasScanned = false
  /// The slots that were granted, and neither used nor given back.
  var unused: Set<Slot> = []
  var began = 0
  /// What earlier processes did.
  private(set) var past = SimulatedJournal.Past()
  /// Whether the job is making a part, how many it has made, and whether it has told that none is left.
  var isAsking = false
  var nextPart = 0
  var hasAllParts = false

  init(
    id: Incarnation, settings: EngagementSettings, journal: SimulatedJournal?, grows: Bool
  ) {
    self.id = id
    self.journal = journal
    self.grows = grows
    engagement = Engagement(settings: settings)
  }

  /// Whether the process crashed or its engagement ended.
  var isOver: Bool { isDead || end != nil }

  /// The number of systems that take tasks of the run.
  var systems: Int {
    roster.members.count { !$0.isDraining && !roster.isUnsuited($0.id, for: Self.run) }
  }

  mutating func request(
    _ count: Int, for task: TaskID? = nil, avoiding: [Incarnation] = [],
    _ priority: SlotRequest.Priority, _ caution: SlotRequest.Caution = .none
  ) -> SlotRequest {
    nextRequest += 1
    retries[nextRequest] = task
    if priority == .idle { idleRequest = nextRequest }
    return SlotRequest(
      id: nextRequest, kind: Self.kind, run: Self.run, count: count, avoiding: avoiding,
      priority: priority, caution: caution)
  }

  mutating func restored(_ past: SimulatedJournal.Past) {
    self.past = past
    dead = Set(past.losses.bySystem.keys)
    for (task, story) in past.stories {
      ordinals[task] = story.attempts
      deaths[task] = story.dead
    }
  }
}

extension AttemptOutcome {
  /// The scan has found that its system can run none of the run.
  static let unsuited = AttemptOutcome.withdrawn(reason: "unsuited")
}
