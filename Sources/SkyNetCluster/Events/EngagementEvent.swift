public import SkyNetCore

/// An event that an engagement reports while it runs.
///
/// Every view of a run is made of these events alone: the terminal's, the browser's, the file of
/// `engage --events`, and an embedder's own.
public enum EngagementEvent: Sendable {
  // MARK: The run

  /// The run has begun. The passes are those that the job may have.
  case began(name: String, sectors: Int, passes: [String])
  /// The job has added this many tasks to a pass. Tasks that an earlier process ended are among them.
  case added(tasks: Int, pass: Int)
  /// The job is about to add tasks of sectors that the run did not have before, and has as many sectors more from now on.
  /// The sectors of parts are not told in this way.
  case extended(by: Range<Int>)
  /// A growing job has added a part, and knows by now how many parts it will have; `nil` if it does not.
  case grew(JobPart, expectedParts: Int?)
  /// No task of this part of a growing job is left.
  case partEnded(JobPart)
  /// The run has ended, and no event follows. The reason is `nil` if every sector has ended; otherwise it says
  /// why the run ended before.
  case finished(reason: String?)

  // MARK: Attempts

  /// A system got an attempt at a task.
  case handedOut(Handout)
  /// An attempt ended and brought no output that was taken. If that counts as a failure, ``retried(_:_:)`` or
  /// ``failed(_:)`` follows.
  case attemptEnded(Handout, Ending, reason: String)
  /// An attempt failed, and its task will be tried again.
  case retried(TaskID, FailedAttempt)

  // MARK: Sectors

  /// A later pass goes on with the task's sector.
  case passCompleted(TaskID, system: String, seconds: Double)
  /// The sector has its result.
  case completed(SectorResult)
  /// The engagement has given the sector up.
  case failed(SectorFailure)
  /// The journal says that an earlier process completed this sector.
  case restored(SectorResult)
  /// The journal says that an earlier process gave this sector up.
  case restoredFailure(SectorFailure)
  /// The journal says that earlier processes took the outputs of this many tasks of a pass. Those that gave a
  /// sector's result are among them.
  case passRestored(pass: Int, tasks: Int)

  // MARK: Systems

  /// The system has connected, or was connected when the run began.
  case connected(RemoteSystem)
  /// The system's name has its address from now on, as another one of the same name has come.
  case renamed(RemoteSystem, from: String)
  /// The system is gone, for this reason.
  case disconnected(RemoteSystem, reason: String)
  /// Nothing has come from the system for this long. It does not count as gone yet.
  case silent(RemoteSystem, for: Duration)
  /// Something has come from the system again after ``silent(_:for:)``.
  case heard(RemoteSystem)
  /// The system of this name gets no tasks for this long while other systems can scan. It has failed this
  /// often in a row; or, with 0 failures, earlier systems at its place died young.
  case paused(String, failures: Int, for: Duration)
  /// The system of this name gets tasks again after ``paused(_:failures:for:)``.
  case resumed(String)
  /// The system of this name can run no scan of this run, and gets no tasks: it does not know the kind of scan, or a
  /// scan has found there that it lacks something else (`SystemUnsuited`).
  case unsuited(String, reason: String)
  /// The system of this name had no room for a scan (`SystemFull`), and is given fewer tasks at a time. This is reported
  /// once for a system, and again whenever that was so for a minute in which no sector ended.
  case full(String, reason: String)
  /// Sectors wait for so long at most, until attempts at them have ended that were lost with the system of this name, or
  /// that an earlier process of the run left on other systems: the job's attempts may not overlap (`RetryWaits`).
  case held(system: String?, seconds: Double)
  /// The system of this name drains: it takes no new tasks, and finishes those that it has. `by` is the name of
  /// the client that asked it to, if one has.
  case leaving(String, by: String? = nil)
  /// This process's own system takes no new tasks: the node of this name runs on the same machine, and its slots
  /// are used instead of that system's.
  case yielding(to: String, nodeSlots: Int, slots: Int)
  /// The system of this name takes tasks again. Only this process's own system does so after ``leaving(_:by:)``
  /// or ``yielding(to:nodeSlots:slots:)``.
  case serving(String)
  /// This process's own system, which it lends to others, scans for the client of this name.
  case helping(String)
  /// That client is gone.
  case helped(String)
  /// No system is left that takes scans, and the engagement waits this long for one; `nil` for as long as a system
  /// is connected that was asked to drain. The named systems are still connected, but are leaving, or are unsuited.
  case waitingForSystem(Duration?, leaving: [String], unsuited: [String])
  /// No scan has ended during this silence. `of` counts the attempts that are in flight, and the array holds
  /// those of them that have run for longest. `of` is 0 if all tasks that are left wait for a system that is
  /// connected, and paused.
  case stalled([StalledAttempt], of: Int, silence: Duration)

  /// The task that the event is about, if it is about one.
  var task: TaskID? {
    switch self {
    case .handedOut(let handout), .attemptEnded(let handout, _, _): handout.task
    case .retried(let task, _), .passCompleted(let task, _, _): task
    case .completed(let result), .restored(let result): result.task
    case .failed(let failure), .restoredFailure(let failure): failure.task
    default: nil
    }
  }

  /// An attempt at a task, and the system that got it.
  public struct Handout: Hashable, Sendable {
    /// The task that is attempted.
    public let task: TaskID
    /// The name of the system that got the attempt; `local` for this process's own.
    public let system: String
    /// The position among the task's attempts, counted from 1.
    public let attempt: Int
    /// Whether this is a second attempt beside one that is still in flight.
    public let isHedge: Bool

    package init(task: TaskID, system: String, attempt: Int = 1, isHedge: Bool = false) {
      self.task = task
      self.system = system
      self.attempt = attempt
      self.isHedge = isHedge
    }

    init(_ attempt: Attempt, on system: String) {
      self.init(
        task: attempt.task, system: system, attempt: attempt.ordinal,
        isHedge: attempt.isHedge)
    }
  }

  /// An attempt that is in flight while no scan ends.
  public struct StalledAttempt: Hashable, Sendable {
    /// The attempt, and the system that has it.
    public let handout: Handout
    /// How long the scan has run; `nil` if it is not known to have begun.
    public let ran: Duration?
    /// How long ago the attempt was handed out.
    public let age: Duration

    init(_ stalled: SkyNetCore.StalledAttempt, on system: String) {
      handout = Handout(stalled.attempt, on: system)
      ran = stalled.ran
      age = stalled.age
    }
  }

  /// How an attempt ended that brought no output.
  public enum Ending: String, Hashable, Sendable {
    /// The scan threw, ran too long, or gave an output that cannot be.
    case failed
    /// The system is gone.
    case lost
    /// Nothing counts against the sector: the system handed the task back, or is unsuited; or another attempt was
    /// faster, or failed beyond mending.
    case withdrawn

    init(_ outcome: AttemptOutcome) {
      switch outcome {
      case .succeeded, .withdrawn: self = .withdrawn
      case .failed, .refused: self = .failed
      case .lost: self = .lost
      }
    }
  }
}

/// A sector that was scanned.
public struct SectorResult: Sendable {
  /// The sector's number, from 0.
  public let sector: Int
  /// The name of the part that the sector belongs to; `nil` if its job does not grow.
  public let part: String?
  /// The pass that gave the result.
  public let pass: Int
  /// The result that the job made from the scan's output.
  public let result: any Encodable & Sendable
  /// The name of the system that scanned it; `local` for this process's own.
  public let system: String
  /// How many attempts at the sector were begun.
  public let attempts: Int
  /// How long the scan ran, in seconds.
  public let seconds: Double

  var task: TaskID { TaskID(pass: pass, sector: sector) }

  package init(
    sector: Int, of part: String? = nil, pass: Int = 0, result: any Encodable & Sendable,
    system: String, attempts: Int, seconds: Double
  ) {
    self.sector = sector
    self.part = part
    self.pass = pass
    self.result = result
    self.system = system
    self.attempts = attempts
    self.seconds = seconds
  }
}

/// A sector that the engagement has given up.
public struct SectorFailure: Sendable {
  /// The sector's number, from 0.
  public let sector: Int
  /// The name of the part that the sector belongs to; `nil` if its job does not grow.
  public internal(set) var part: String?
  /// The pass in which the sector was given up.
  public internal(set) var pass = 0
  /// The attempts that failed, in order, each with its reason.
  public let failures: [FailedAttempt]
  /// How many attempts at the sector were begun.
  public let attempts: Int
  /// How long the last scan ran, in seconds.
  public let seconds: Double

  var task: TaskID { TaskID(pass: pass, sector: sector) }
}

extension SectorFailure {
  package init(_ task: TaskID, of part: String?, _ story: TaskStory) {
    self.init(
      sector: task.sector, part: part, pass: task.pass, failures: story.failures,
      attempts: story.attempts, seconds: story.seconds)
  }
}
