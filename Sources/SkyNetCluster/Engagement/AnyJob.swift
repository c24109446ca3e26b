import SkyNetCore

/// What a scan found, whatever the scan.
typealias AnyOutput = any Codable & Sendable

/// A job, whatever its scan.
///
/// Jobs are generic for their authors. What runs them is not: a generic engine would look its types
/// up anew at each step of each task, in every module that does not see into this one.
protocol AnyJob: Sendable {
  var kind: ScanKind { get }
  var sectorCount: Int { get }
  /// Makes the tasks that can be handed out now.
  var source: any TaskSource { get }

  /// - Throws: ``ImpossibleOutput`` if this cannot be what the job's scan finds for the task.
  func check(_ output: AnyOutput, for task: TaskID) throws(ImpossibleOutput)
  /// Takes an output that was checked.
  mutating func receive(_ output: AnyOutput, for task: TaskID) throws -> ReceivedResult

  /// The next of the tasks that earlier processes began; see ``Journal/past(_:after:limit:)``.
  func past(
    in journal: any JournalStore, after task: TaskID?, limit: Int
  ) async throws -> [PastTask<AnyOutput>]
}

/// Makes a job's tasks, as the job was at some time. Attempts use it concurrently.
protocol TaskSource: Sendable {
  func task(for attempt: Attempt, isTimed: Bool) async throws -> ScanTask
  /// - Throws: ``ImpossibleOutput`` if this cannot be what the job's scan finds for the task.
  func check(_ output: AnyOutput, for task: TaskID) throws(ImpossibleOutput)
  /// How large an answer with its output may be.
  func outputLimit(for task: TaskID) -> OutputLimit
}

/// A job behind ``AnyJob``.
struct ErasedJob<J: Job>: AnyJob {
  var job: J
  /// The scan, as this process knows it, to be asked how long it may take.
  let scan: J.Work?

  var kind: ScanKind { J.Work.kind }
  var sectorCount: Int { job.sectorCount }
  var source: any TaskSource { JobSource(job, scan) }

  func check(_ output: AnyOutput, for task: TaskID) throws(ImpossibleOutput) {
    try job.check(any: output, for: task)
  }

  mutating func receive(_ output: AnyOutput, for task: TaskID) throws -> ReceivedResult {
    guard let output = output as? J.Work.Output else {
      // Every attempt's output was looked at.
      preconditionFailure("\(J.Work.kind) does not find \(type(of: output))")
    }
    return try job.receive(output, for: task)
  }

  func past(
    in journal: any JournalStore, after task: TaskID?, limit: Int
  ) async throws -> [PastTask<AnyOutput>] {
    try await journal.past(J.Work.Output.self, after: task, limit: limit).map { past in
      let end: PastTask<AnyOutput>.End =
        switch past.end {
        case .open: .open
        case .accepted(let output, let system, let seconds):
          .accepted(output, system: system, seconds: seconds)
        case .gaveUp: .gaveUp
        }
      return PastTask(id: past.id, end: end, story: past.story)
    }
  }
}

private struct JobSource<J: Job>: TaskSource {
  private let job: J
  private let scan: J.Work?
  private let settings: J.Work.Settings
  /// The settings are the same for all tasks, and encoded once; `nil` if they have bulk bytes, which
  /// have to go with each task.
  private let settingsJSON: [UInt8]?

  init(_ job: J, _ scan: J.Work?) {
    self.job = job
    self.scan = scan
    settings = job.settings
    var parts = PartEncoder()
    settingsJSON = parts.add(settings) && parts.bulk.isEmpty ? parts.json.bytes : nil
  }

  func task(for attempt: Attempt, isTimed: Bool) async throws -> ScanTask {
    let work = WorkOf<J.Work>(
      settings: settings, settingsJSON: settingsJSON,
      sector: try await job.sector(for: attempt.task))
    var task = ScanTask(
      id: attempt.task, kind: J.Work.kind, attempt: attempt.scanAttempt, isTimed: isTimed,
      work: work)
    // The engagement's own limit goes before the kind's.
    if !isTimed { task.timeLimit = scan?.timeLimit(work.sector, settings: settings) }
    return task
  }

  func outputLimit(for task: TaskID) -> OutputLimit { job.outputLimit(for: task) }

  func check(_ output: AnyOutput, for task: TaskID) throws(ImpossibleOutput) {
    try job.check(any: output, for: task)
  }
}

extension Job {
  fileprivate func check(any output: AnyOutput, for task: TaskID) throws(ImpossibleOutput) {
    guard let output = output as? Work.Output else {
      throw ImpossibleOutput("it is of another kind of scan than \(Work.kind)")
    }
    do {
      try check(output, for: task)
    } catch {
      throw ImpossibleOutput("\(error)")
    }
  }
}

/// What is said to be a task's output cannot be that.
struct ImpossibleOutput: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason.bounded
  }
}
