import SkyNetCore

/// What the run tells of itself: events for its caller, and how far it is for the heartbeats.
extension EngagementRun {
  /// Reports an event that happens now.
  func report(_ event: EngagementEvent) async { await report(event, at: clock.now) }

  /// Reports an event, with the counts as they are now.
  @inline(__always)
  func report(_ event: EngagementEvent, at time: Instant) async {
    let part = openParts == nil ? nil : event.task.flatMap { self.part(of: $0.sector) }
    ledger.note(event, of: part, at: time)
    metrics?.count(event)
    let update = EngagementUpdate(
      run: id, at: time, since: origin, event: event, tally: ledger.tally, part: part)
    if isLight { return await reportUpdate(update) }
    await executor.onPool { [reportUpdate] in await reportUpdate(update) }
  }

  /// Reports that the job has added tasks.
  func reportAdded(_ tasks: [TaskRange]) async {
    for sectors in ledger.newSectors(of: tasks) { await report(.extended(by: sectors)) }
    // A job may add thousands of ranges of one pass at a time.
    let counts = tasks.reduce(into: [:]) { $0[$1.pass, default: 0] += $1.sectors.count }
    for (pass, count) in counts.sorted(by: { $0.key < $1.key }) {
      await report(.added(tasks: count, pass: pass))
    }
  }

  /// The name of a slot's system, for people.
  func name(of slot: Slot) -> String { inPlace(&engagement) { $0.name(of: slot) } }

  /// How far the run is, for those who are asked about it.
  func summary(at now: Instant, client: String) -> EngagementSummary {
    let (tally, estimate) = (ledger.tally, ledger.estimate)
    let part = (source.base as? any GrowableJob).map { type(of: $0).part }
    return EngagementSummary(
      run: id, name: source.base.name, client: client, sectors: tally.total,
      completed: tally.completed, failed: tally.failed, rate: estimate.rate(at: now),
      secondsLeft: ledger.secondsLeft(at: now),
      pass: part != nil ? ledger.currentPart : estimate.passText(source.base.passes.map(\.name)),
      parts: part.map { .init(estimate.parts, noun: $0.many) })
  }

  /// The job with its outputs, and the counts, when the run has ended.
  func outcome<J: Job>(of type: J.Type) -> (job: J, tally: Tally) {
    guard let job = job as? ErasedJob<J> else { preconditionFailure("another job") }
    return (job.job, ledger.tally)
  }
}
