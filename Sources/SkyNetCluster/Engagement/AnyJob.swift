import SkyNetCore

/// The output of a scan of any kind.
typealias AnyOutput = any Codable & Sendable

/// A job with a scan of any kind.
///
/// Jobs are generic for their authors. The engine that runs them is not: in other modules, the compiler could
/// not specialize a generic engine, which would then look its types up at each step of each task.
protocol AnyJob: Sendable {
  var kind: ScanKind { get }
  /// How many sectors the job begins with.
  var sectorCount: Int { get }
  var name: String { get }
  var passes: [(name: String, weight: Double)] { get }
  var isLight: Bool { get }

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
  /// See ``Job/refused(_:by:for:)``.
  func refused(
    _ refusal: SectorDataRefused, by recipient: SectorRecipient, for task: TaskID
  ) async
  /// See ``ReferringJob/delivered(_:to:in:)``.
  func delivered(_ task: TaskID, to recipient: SectorRecipient, in seconds: Double)
  /// - Throws: ``ImpossibleOutput`` if the job's scan cannot have returned this output for the task.
  func check(_ output: AnyOutput, for task: TaskID) throws(ImpossibleOutput)
  /// How large an answer with the task's output may be.
  func outputLimit(for task: TaskID) -> OutputLimit

  // MARK: Results

  /// Takes an output that ``check(_:for:)`` has accepted.
  mutating func receive(_ output: AnyOutput, for task: TaskID) throws -> ReceivedResult
  mutating func gaveUp(_ task: TaskID, reason: String)

  /// Whether systems may keep a sector's data for its later tasks.
  var keepsData: Bool { get }
  var isGrowing: Bool { get }
  var expectedParts: Int? { get }
  func nextPart() async throws -> JobPart?
  mutating func add(_ part: JobPart) throws -> AddedPart
  mutating func ended(_ part: JobPart)
  func result(ofSector sector: Int, in part: JobPart) -> (any Encodable & Sendable)?

  /// The next page of the tasks that earlier processes began; see ``Journal/past(_:after:limit:)``.
  func past(
    in journal: any JournalStore, of sectors: Range<Int>?, after task: TaskID?, limit: Int
  ) async throws -> [PastTask<AnyOutput>]
}

/// The one implementation of ``AnyJob``: a job whose types are hidden.
struct ErasedJob<J: Job>: AnyJob {
  var job: J
  let run: RunID
  /// The scan that this process has registered under the job's kind, if any. It gives the kind's time limit
  /// for each sector.
  let scan: J.Work?
  private let settingsJSON = SettingsJSON<J.Work.Settings>()
  /// Asked once, as that is needed for each task.
  private let refers = J.self is any ReferringJob.Type

  init(job: J, run: RunID, scan: J.Work?) {
    self.job = job
    self.run = run
    self.scan = scan
  }

  var kind: ScanKind { J.Work.kind }
  var sectorCount: Int { job.sectorCount }
  var name: String { job.name }
  var passes: [(name: String, weight: Double)] { job.passes }
  var isLight: Bool { job.isLight }
  var keepsData: Bool { refers }
  var isGrowing: Bool { J.self is any GrowableJob.Type }
  private var growing: (any GrowableJob)? { job as? any GrowableJob }
  var expectedParts: Int? { growing?.expectedParts }

  func task(
    for attempt: Attempt, on recipient: SectorRecipient?, isTimed: Bool
  ) async throws -> ScanTask {
    let sector = try await sector(for: attempt.task, on: recipient)
    let settings = job.settings(for: attempt.task)
    let work = WorkOf<J.Work>(
      settings: settings,
      settingsJSON: settingsJSON.text(
        of: settings, inGroup: job.settingsGroup(of: attempt.task)),
      sector: sector)
    var task = ScanTask(
      id: attempt.task, of: run, kind: J.Work.kind, attempt: attempt.scanAttempt, isTimed: isTimed,
      work: work)
    // The engagement's scan timeout replaces the limit of the kind.
    if !isTimed { task.timeLimit = scan?.timeLimit(sector, settings: settings) }
    return task
  }

  func refused(
    _ refusal: SectorDataRefused, by recipient: SectorRecipient, for task: TaskID
  ) async {
    await (job as? any ReferringJob)?.refused(refusal, by: recipient, for: task)
  }

  func delivered(_ task: TaskID, to recipient: SectorRecipient, in seconds: Double) {
    guard refers else { return }
    (job as? any ReferringJob)?.delivered(task, to: recipient, in: seconds)
  }

  @inline(__always)
  private func sector(
    for task: TaskID, on recipient: SectorRecipient?
  ) async throws -> J.Work.Sector {
    do {
      // Most jobs make no such sectors, and are not asked whether they do for each task.
      guard let recipient, refers, let job = job as? any ReferringJob,
        let sector = try await job.sector(for: task, on: recipient) as? J.Work.Sector
      else { return try await self.job.sector(for: task) }
      return sector
    } catch let error where !(error is CancellationError) {
      throw SectorNotMade(error)
    }
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

  func nextPart() async throws -> JobPart? { try await growing?.nextPart() }

  mutating func add(_ part: JobPart) throws -> AddedPart {
    guard var growing else { return .tasks([]) }
    let added = try growing.add(part)
    take(growing)
    return added
  }

  mutating func ended(_ part: JobPart) {
    guard var growing else { return }
    growing.ended(part)
    take(growing)
  }

  private mutating func take(_ changed: any GrowableJob) {
    if let changed = changed as? J { job = changed }
  }

  func result(ofSector sector: Int, in part: JobPart) -> (any Encodable & Sendable)? {
    growing?.result(ofSector: sector, in: part)
  }

  func past(
    in journal: any JournalStore, of sectors: Range<Int>?, after task: TaskID?, limit: Int
  ) async throws -> [PastTask<AnyOutput>] {
    try await journal.past(J.Work.Output.self, in: sectors, after: task, limit: limit).map { task in
      let end: PastTask<AnyOutput>.End =
        switch task.end {
        case .open: .open
        case .accepted(let output, let system, let seconds):
          .accepted(output, system: system, seconds: seconds)
        case .gaveUp: .gaveUp
        }
      return PastTask(id: task.id, end: end, story: task.story)
    }
  }
}

/// The job's scan cannot have returned this output for this task.
struct ImpossibleOutput: Error, CustomStringConvertible {
  let reason: String

  var description: String { "its answer cannot be: \(reason)" }

  init(_ reason: String) {
    self.reason = reason.bounded
  }
}

/// The job could not make an attempt's sector. No system is to blame for it.
struct SectorNotMade: Error {
  let reason: String

  init(_ error: any Error) {
    reason = "\(error)".bounded
  }
}
