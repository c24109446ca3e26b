import SkyNetCore

/// The output of a scan of any kind.
typealias AnyOutput = any Codable & Sendable

/// A job with a scan of any kind.
///
/// Jobs are generic for their authors. The engine that runs them is not: in other modules, the compiler could
/// not specialize a generic engine, which would then look its types up at each step of each task.
protocol AnyJob: Sendable {
  var kind: ScanKind { get }
  /// The job as its author made it.
  var base: any Job { get }
  /// The type of its scan's outputs.
  var outputType: any (Codable & Sendable).Type { get }
  /// The job as one that adds parts; `nil` if it adds none.
  var growing: (any GrowableJob)? { get set }
  /// The job as one that makes sectors for the systems that scan them; `nil` if it does not.
  var referring: (any ReferringJob)? { get }

  // MARK: Tasks, which attempts make at the same time

  /// Makes the sector, and the task with it.
  ///
  /// - Parameters:
  ///   - recipient: the system that may get other data than the rest; `nil` to make the data that every
  ///     system can use.
  ///   - isTimed: whether the engagement has a scan timeout. Without one, the task gets the time limit of its
  ///     kind.
  func task(
    for attempt: Attempt, on recipient: SectorRecipient?, isTimed: Bool
  ) async throws -> ScanTask
  /// Whether another attempt may succeed after this one; see ``Job/isWorthRetrying(_:of:)``.
  func isWorthRetrying(_ failure: FailedAttempt, of task: TaskID) -> Bool
  /// - Throws: ``ImpossibleOutput`` if the job's scan cannot have returned this output for the task.
  func check(_ output: AnyOutput, for task: TaskID) throws(ImpossibleOutput)
  func outputLimit(for task: TaskID) -> OutputLimit

  // MARK: Results

  /// Takes an output that ``check(_:for:)`` has accepted.
  mutating func receive(_ output: AnyOutput, for task: TaskID) throws -> ReceivedResult
  mutating func gaveUp(_ task: TaskID, reason: String)
}

/// The one implementation of ``AnyJob``: a job whose types are hidden.
struct ErasedJob<J: Job>: AnyJob {
  var job: J
  let run: RunID
  /// The scan that runs on this process's own system, and gives each sector's time limit.
  let scan: OwnScan<J.Work>
  let codes = SettingsCodes()
  /// Asked once, as that is needed for each task.
  let refers = J.self is any ReferringJob.Type

  var kind: ScanKind { J.Work.kind }
  var base: any Job { job }
  var outputType: any (Codable & Sendable).Type { J.Work.Output.self }
  var referring: (any ReferringJob)? { refers ? job as? any ReferringJob : nil }
  var growing: (any GrowableJob)? {
    get { job as? any GrowableJob }
    set { if let changed = newValue as? J { job = changed } }
  }

  func task(
    for attempt: Attempt, on recipient: SectorRecipient?, isTimed: Bool
  ) async throws -> ScanTask {
    let sector: J.Work.Sector
    do {
      if refers, let recipient {
        sector = try await self.sector(for: attempt.task, on: recipient)
      } else {
        sector = try await job.sector(for: attempt.task)
      }
    } catch let error where !(error is CancellationError) {
      throw SectorNotMade(error)
    }
    let settings = job.settings(for: attempt.task)
    let coded = codes.code(settings, of: kind, ofGroup: job.settingsGroup(of: attempt.task))
    let work = WorkOf<J.Work>(of: scan, settings: settings, coded: coded, sector: sector)
    var task = ScanTask(
      id: attempt.task, run: run, kind: J.Work.kind, attempt: attempt.scanAttempt, isTimed: isTimed,
      work: work, largeSettings: coded.flatMap { $0.travelAlone ? $0 : nil })
    // The engagement's scan timeout replaces the limit of the kind.
    if !isTimed { task.timeLimit = scan.scan.timeLimit(sector, settings: settings) }
    return task
  }

  /// The sector for the system that scans it. It is no part of its caller, as code for a type that it looks up does so at
  /// its beginning.
  private func sector(
    for task: TaskID, on recipient: SectorRecipient
  ) async throws -> J.Work.Sector {
    if let own = try await referring?.sector(for: task, on: recipient) as? J.Work.Sector {
      return own
    }
    return try await job.sector(for: task)
  }

  func isWorthRetrying(_ failure: FailedAttempt, of task: TaskID) -> Bool {
    job.isWorthRetrying(failure, of: task)
  }

  func outputLimit(for task: TaskID) -> OutputLimit { job.outputLimit(for: task) }

  func check(_ output: AnyOutput, for task: TaskID) throws(ImpossibleOutput) {
    guard let output = output as? J.Work.Output else {
      throw ImpossibleOutput("it is of another kind of scan than \(kind)")
    }
    do {
      try job.check(output, for: task)
    } catch {
      throw ImpossibleOutput("\(error)")
    }
  }

  mutating func receive(_ output: AnyOutput, for task: TaskID) throws -> ReceivedResult {
    guard let output = output as? J.Work.Output else {
      // `check(_:for:)` has looked at the type of every attempt's output.
      preconditionFailure("\(J.Work.kind) does not find \(type(of: output))")
    }
    return try job.receive(output, for: task)
  }

  mutating func gaveUp(_ task: TaskID, reason: String) { job.gaveUp(task, reason: reason) }
}

/// The job's scan cannot have returned this output for this task.
struct ImpossibleOutput: Error, CustomStringConvertible {
  let reason: String

  var description: String { "its answer cannot be: \(reason)" }

  init(_ reason: String) { self.reason = reason.bounded }
}

/// The job could not make an attempt's sector. No system is to blame for it.
struct SectorNotMade: Error {
  let reason: String
  let code: FailedAttempt.Code

  init(_ error: any Error) {
    reason = "\(error)".bounded
    code = error is UnmendableFailure ? .unmendable : .failed
  }
}
