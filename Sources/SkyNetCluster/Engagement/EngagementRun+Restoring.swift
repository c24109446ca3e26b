import SkyNetCore

/// Takes over the work of earlier processes from a journal.
extension EngagementRun {
  /// What was taken over of a job, or of a part of it.
  struct Restored {
    /// The tasks that the job has added, ended ones among them.
    var tasks: [TaskRange]
    /// The stories of the tasks that earlier processes have tried, and not ended.
    var stories: [TaskID: TaskStory] = [:]
    fileprivate var ended = TaskRuns()
    /// How many outputs of each pass were taken over.
    fileprivate var accepted: [Int: Int] = [:]

    /// The tasks that are left to do.
    var left: [TaskRange] { tasks.subtracting(ended) }
  }

  /// Takes the outputs and failures of earlier processes, as if they came now.
  ///
  /// - Parameters:
  ///   - tasks: the tasks that the job, or a part of it, begins with.
  ///   - sectors: those of the part, or of the job.
  /// - Throws: `EngagementError` if the journal holds an output that its task's scan cannot have returned;
  ///   the errors of the job when it receives an output; the errors of the journal.
  func restore(_ tasks: [TaskRange], of sectors: Range<Int>) async throws -> Restored {
    var restored = Restored(tasks: tasks)
    guard let journal else { return restored }
    let order = openParts == nil ? try await journal.order() : []
    if order.isEmpty {
      try await journal.eachPast(source.outputType, in: sectors) {
        try await restore($0, from: journal, adding: &restored)
      }
    } else {
      // The job may have numbered the sectors that it has added by the order in which it received its outputs.
      try await journal.eachPast(source.outputType, order) {
        try await restore($0, from: journal, adding: &restored)
      }
      try await journal.eachPast(UnreadOutput.self, in: nil) { task in
        if case .accepted = task.end { return }
        try await restore(task, from: journal, adding: &restored)
      }
      restored.ended.sort()
    }
    for (pass, count) in restored.accepted.sorted(by: { $0.key < $1.key }) {
      await report(.passRestored(pass: pass, tasks: count))
    }
    source = job
    if let wait = settings.waitForEarlierScans, !toldOfEarlierScans,
      restored.stories.values.contains(where: { $0.isLeftElsewhere == true })
    {
      toldOfEarlierScans = true
      await report(.held(system: nil, seconds: wait.inSeconds))
    }
    return restored
  }

  private func restore(
    _ task: PastTask, from journal: any JournalStore, adding restored: inout Restored
  ) async throws {
    // If what the job made a sector of has to be scanned again, the job may make another one of it.
    let isKnown = ledger.has(task.id.sector)
    switch task.end {
    case .open:
      if isKnown { restored.stories[task.id] = task.story }
      return
    case .accepted(let output, let system, let seconds):
      guard isKnown, let added = try await receive(task, output, system, seconds) else {
        journal.record(.droppedOutput(task.id))
        if journal.isBehind { try await journal.commit() }
        return
      }
      restored.tasks += added
      restored.accepted[task.id.pass, default: 0] += 1
    case .gaveUp:
      guard isKnown else { return }
      await reportFailure(of: task.id, task.story, as: EngagementEvent.restoredFailure)
      await endOfTask(task.id)
    }
    restored.ended.append(task.id)
  }

  /// Gives the job a past task's output.
  ///
  /// - Returns: the tasks that the job adds; `nil` if the output does not hold any more.
  private func receive(
    _ task: PastTask, _ output: AnyOutput, _ system: String, _ seconds: Double
  ) async throws -> [TaskRange]? {
    let id = task.id
    do {
      try await asking { [source] in try source.check(output, for: id) }
    } catch let error as ImpossibleOutput {
      throw EngagementError.impossiblePast(sector: id.sector, reason: error.reason)
    }
    let received: ReceivedResult
    do {
      received = try await changing { try $0.receive(output, for: id) }
    } catch is StaleOutput {
      return nil
    }
    try check(received, for: id)
    if let result = received.result {
      await report(
        .restored(
          SectorResult(
            sector: id.sector, of: part(of: id.sector), pass: id.pass, result: result,
            system: system, attempts: task.story.attempts, seconds: seconds)))
    }
    await endOfTask(id, adding: received.added)
    // The tasks that it has added are checked by the job as it is now.
    if !received.added.isEmpty { source = job }
    return received.added
  }
}
