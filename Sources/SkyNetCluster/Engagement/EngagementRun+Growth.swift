import BitCollections
import SkyNetCore

/// Adds the parts of a growing job.
extension EngagementRun {
  /// Adds a child that waits for the job's next part.
  func requestPart(in group: inout Group) {
    group.addTask(executorPreference: executor.pool) { [job] in
      .grew(try await job.growing?.nextPart())
    }
  }

  /// Adds a part to the job, and tells the `Engagement` of its tasks; or tells that no part is left.
  ///
  /// - Throws: the errors of the job when it adds the part, and those of the journal.
  func actions(afterGrowthBy part: JobPart?) async throws -> [EngagementAction] {
    guard engagement.takesParts else { return [] }
    guard var part else { return engagement.growthEnded(at: clock.now) }
    try added.add(part, to: ledger)
    let past = pastParts.removeValue(forKey: part.number)
    let isPast = past != nil
    if let ended = past?.ended { part.outcome = ended }
    let result = try await changing { [part] in try $0.growing?.add(part) ?? .tasks([]) }
    // Attempts in flight keep the source that they began with.
    source = job
    await report(.grew(part, expectedParts: job.growing?.expectedParts))
    openParts?.began(part)
    // A part that has lost sectors since an earlier process recorded it is an error of the journal.
    if past?.sectors != part.sectors { journal?.record(.part(part)) }
    switch result {
    case .tasks(let tasks):
      try added.add(tasks)
      await reportAdded(tasks)
      openParts?.added(tasks)
      if tasks.allSatisfy(\.sectors.isEmpty) { await end(part) }
      guard isPast else { return engagement.grew(by: tasks, at: clock.now) }
      let restored = try await restore(tasks, of: part.sectors)
      return engagement.grew(by: restored.left, stories: restored.stories, at: clock.now)
    case .failed(let reason):
      let done = isPast ? try await restoreResults(of: part) : []
      let story = TaskStory.neverMade(reason: reason)
      for sector in ledger.openSectors(in: part.sectors) {
        // A sector's first task that has brought its output is done, and no task ends twice.
        if !done.contains(sector) { journal?.record(.gaveUp(TaskID(sector: sector), story)) }
        await reportFailure(of: TaskID(sector: sector), story)
      }
      await end(part)
    case .ended:
      _ = try await restoreResults(of: part)
      // An earlier process has told of the sectors whose task of a later pass was never made.
      await reportSectorsNeverMade(in: part, as: EngagementEvent.restoredFailure)
      await end(part)
    }
    return engagement.grew(by: [], at: clock.now)
  }

  /// Whether the job records itself how its parts ended.
  var keepsOutcomes: Bool { job.growing is any JobWithOutcomes }

  /// The name of the part that a sector belongs to; `nil` if the job does not grow.
  func part(of sector: Int) -> String? { openParts?.name(of: sector) }

  /// A task has ended, and the job has added tasks. If no task of its part is left, the part ends.
  @inline(__always)
  func endOfTask(_ task: TaskID, adding added: [TaskRange] = []) async {
    if !added.isEmpty { await reportAdded(added) }
    openParts?.added(added)
    if let part = openParts?.ended(task) { await end(part) }
  }

  private func end(_ part: JobPart) async {
    // The journal need not tell: it has the outputs and failures that this follows from.
    await reportSectorsNeverMade(in: part)
    if let journal, !keepsOutcomes {
      let end = part.ended(withFailures: ledger.estimate.parts.hasFailed(part))
      if end != part { journal.record(.part(end)) }
    }
    job.growing?.ended(part)
    openParts?.ended(part)
    engagement.ended(part.sectors)
    await report(.partEnded(part))
  }

  /// Reports the results of a part that an earlier process ended, without asking the job for the sectors' outputs.
  ///
  /// - Returns: the sectors of which the journal has an output.
  private func restoreResults(of part: JobPart) async throws -> BitSet {
    var done = BitSet()
    guard let journal else { return done }
    var results: [Int: SectorResult] = [:]
    try await journal.eachPast(UnreadOutput.self, in: part.sectors) { task in
      let sector = task.id.sector
      switch task.end {
      case .open: break
      case .accepted(_, let system, let seconds):
        done.insert(sector)
        guard let growing = job.growing as? any JobWithOutcomes,
          let result = growing.result(ofSector: sector, in: part)
        else { return }
        // The outputs of later passes come later.
        results[sector] = SectorResult(
          sector: sector, of: part.name, pass: task.id.pass, result: result, system: system,
          attempts: task.story.attempts, seconds: seconds)
      case .gaveUp:
        results[sector] = nil
        await reportFailure(of: task.id, task.story, as: EngagementEvent.restoredFailure)
      }
    }
    for sector in ledger.openSectors(in: part.sectors) {
      if let result = results[sector] { await report(.restored(result)) }
    }
    return done
  }
}

/// An output that is not looked at.
struct UnreadOutput: Codable, Sendable {
  init(from decoder: any Decoder) {}

  func encode(to encoder: any Encoder) {}
}
