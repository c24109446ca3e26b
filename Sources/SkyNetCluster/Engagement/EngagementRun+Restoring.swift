import SkyNetCore

/// Takes over the work of earlier processes from a journal.
extension EngagementRun {
  /// Takes the outputs and failures of earlier processes, as if they came now. Returns the tasks that are
  /// left, and the stories of those that earlier processes have tried.
  ///
  /// - Parameters:
  ///   - tasks: the tasks that the job, or a part of it, begins with.
  ///   - sectors: those of the part, or of the job.
  /// - Throws: `EngagementError` if the journal holds an output that its task's scan cannot have returned;
  ///   the errors of the job when it receives an output; the errors of the journal.
  func restore(
    _ tasks: [TaskRange], of sectors: Range<Int>
  ) async throws -> (left: [TaskRange], stories: [TaskID: TaskStory]) {
    guard let journal else { return (tasks, [:]) }
    var tasks = tasks
    var ended = TaskRuns()
    var accepted: [Int: Int] = [:]
    var stories: [TaskID: TaskStory] = [:]
    try await journal.eachPast(source.outputType, in: sectors) { task in
      switch task.end {
      case .open:
        stories[task.id] = task.story
        return
      case .accepted(let output, let system, let seconds):
        guard let added = try await restore(task, output, system, seconds) else {
          journal.record(.droppedOutput(task.id))
          if journal.isBehind { try await journal.commit() }
          return
        }
        tasks += added
        accepted[task.id.pass, default: 0] += 1
      case .gaveUp:
        await reportFailure(of: task.id, task.story, as: EngagementEvent.restoredFailure)
        await endOfTask(task.id)
      }
      ended.append(task.id)
    }
    for (pass, count) in accepted.sorted(by: { $0.key < $1.key }) {
      await report(.passRestored(pass: pass, tasks: count))
    }
    source = job
    if let wait = settings.waitForEarlierScans, !toldOfEarlierScans,
      stories.values.contains(where: { $0.isLeftElsewhere == true })
    {
      toldOfEarlierScans = true
      await report(.held(system: nil, seconds: wait.inSeconds))
    }
    return (tasks.subtracting(ended), stories)
  }

  /// Gives the job a past task's output.
  ///
  /// - Returns: the tasks that the job adds; `nil` if the output does not hold any more.
  private func restore(
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
    if let result = received.result {
      await report(
        .restored(
          SectorResult(
            sector: id.sector, of: part(of: id.sector), pass: id.pass, result: result,
            system: system, attempts: task.story.attempts, seconds: seconds)))
    }
    await endOfTask(id, adding: received.added)
    return received.added
  }
}
