import SkyNetCore

/// Going on from what a journal knows.
extension EngagementRun {
  /// How many past tasks to have in memory at a time.
  private static var page: Int { 1000 }

  /// Takes what earlier processes did, as if it were done now, and returns the tasks that are left,
  /// with what some of them met with.
  ///
  /// - Throws: `EngagementError` if the journal holds what cannot be a task's output; what the job
  ///   throws when it receives one; what the journal throws.
  mutating func restore(
    from journal: (any JournalStore)?
  ) async throws -> (left: [TaskRange], stories: [TaskID: TaskStory]) {
    var tasks = [TaskRange(sectors: 0..<job.sectorCount)]
    guard let journal else { return (tasks, [:]) }
    var ended = TaskRuns()
    var stories: [TaskID: TaskStory] = [:]
    var last: TaskID?
    while true {
      let page = try await job.past(in: journal, after: last, limit: Self.page)
      for past in page {
        switch past.end {
        case .open:
          stories[past.id] = past.story
          continue
        case .accepted(let output, let system, let seconds):
          tasks += try await accept(past, output, system, seconds)
        case .gaveUp: await giveUp(past)
        }
        ended.append(past.id)
      }
      guard let next = page.last?.id else { break }
      last = next
    }
    runner = runner.with(job.source)
    return (tasks.subtracting(ended), stories)
  }

  private mutating func accept(
    _ past: PastTask<AnyOutput>, _ output: AnyOutput, _ system: String, _ seconds: Double
  ) async throws -> [TaskRange] {
    do {
      try job.check(output, for: past.id)
    } catch {
      throw EngagementError.impossiblePast(sector: past.id.sector, reason: error.reason)
    }
    let received = try job.receive(output, for: past.id)
    if let result = received.result {
      end(past.id.sector)
      tally.restored()
      await report(
        .restored(
          SectorResult(
            sector: past.id.sector, result: result, system: system,
            attempts: past.story.attempts, seconds: seconds)),
        tally)
    }
    return received.added
  }

  private mutating func giveUp(_ past: PastTask<AnyOutput>) async {
    end(past.id.sector)
    tally.restoredFailure()
    await report(
      .restoredFailure(
        SectorFailure(
          sector: past.id.sector, failures: past.story.failures, attempts: past.story.attempts,
          seconds: past.story.seconds)),
      tally)
  }
}
