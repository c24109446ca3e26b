import SkyNetCore

/// Takes over the work of earlier processes from a journal.
extension EngagementRun {
  /// How many past tasks are in memory at a time.
  static var pageSize: Int { 1000 }

  /// Takes the outputs and failures of earlier processes, as if they came now. Returns the tasks that are
  /// left, and the stories of those that earlier processes have tried.
  ///
  /// - Parameters:
  ///   - tasks: the tasks that the job, or a part of it, begins with.
  ///   - sectors: the part's sectors; `nil` for the whole job.
  /// - Throws: `EngagementError` if the journal holds an output that its task's scan cannot have returned;
  ///   the errors of the job when it receives an output; the errors of the journal.
  func restore(
    _ tasks: [TaskRange], of sectors: Range<Int>? = nil, from journal: (any JournalStore)?
  ) async throws -> (left: [TaskRange], stories: [TaskID: TaskStory]) {
    var tasks = tasks
    guard let journal else { return (tasks, [:]) }
    var ended = TaskRuns()
    var accepted: [Int: Int] = [:]
    var stories: [TaskID: TaskStory] = [:]
    var last: TaskID?
    while true {
      let page = try await job.past(
        in: journal, of: sectors, after: last, limit: Self.pageSize)
      for task in page {
        switch task.end {
        case .open:
          stories[task.id] = task.story
          continue
        case .accepted(let output, let system, let seconds):
          tasks += try await restore(task, output, system, seconds)
          accepted[task.id.pass, default: 0] += 1
        case .gaveUp:
          await reportFailure(of: task.id, task.story, as: EngagementEvent.restoredFailure)
          await endOfTask(task.id)
        }
        ended.append(task.id)
      }
      guard let lastOfPage = page.last?.id else { break }
      last = lastOfPage
    }
    for (pass, count) in accepted.sorted(by: { $0.key < $1.key }) {
      await report(.passRestored(pass: pass, tasks: count))
    }
    source = job
    return (tasks.subtracting(ended), stories)
  }

  /// Gives the job a past task's output. Returns the tasks that the job adds.
  private func restore(
    _ task: PastTask<AnyOutput>, _ output: AnyOutput, _ system: String, _ seconds: Double
  ) async throws -> [TaskRange] {
    do {
      try await asking { [source] in try source.check(output, for: task.id) }
    } catch let error as ImpossibleOutput {
      throw EngagementError.impossiblePast(sector: task.id.sector, reason: error.reason)
    }
    let id = task.id
    let received = try await changing { try $0.receive(output, for: id) }
    if let result = received.result {
      await report(
        .restored(
          SectorResult(
            sector: task.id.sector, of: part(of: task.id.sector), pass: task.id.pass,
            result: result, system: system,
            attempts: task.story.attempts, seconds: seconds)))
    }
    if !received.added.isEmpty { await reportAdded(received.added) }
    await endOfTask(task.id, adding: received.added)
    return received.added
  }
}
