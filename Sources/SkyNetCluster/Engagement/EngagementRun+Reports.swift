import SkyNetCore

/// What the run tells of itself: events for its caller, and how far it is for the heartbeats.
extension EngagementRun {
  /// Reports an event that happens now.
  func report(_ event: EngagementEvent) async { await report(event, at: clock.now) }

  /// Reports an event, with the counts as they are now.
  @inline(__always)
  func report(_ event: EngagementEvent, at time: Instant) async {
    let update = EngagementUpdate(
      run: id, at: time, since: origin, event: event, tally: tally,
      part: isGrowing ? event.task.flatMap { part(of: $0.sector) } : nil)
    if isLight { return await reportUpdate(update) }
    await withTaskExecutorPreference(executor.pool) { await Self.hand(update, to: reportUpdate) }
  }

  /// Runs where its task prefers to, and not on this actor.
  @concurrent private static func hand(
    _ update: EngagementUpdate, to report: Coordinator.Report
  ) async {
    await report(update)
  }

  /// Reports that the job has added tasks.
  func reportAdded(_ tasks: [TaskRange]) async {
    for range in tasks { estimate.added(range.sectors.count, toPass: range.pass) }
    // A job may add thousands of ranges of one pass at a time.
    let counts = tasks.reduce(into: [:]) { $0[$1.pass, default: 0] += $1.sectors.count }
    for (pass, count) in counts.sorted(by: { $0.key < $1.key }) {
      await report(.added(tasks: count, pass: pass))
    }
  }

  /// How far the run is.
  func summary(at now: Instant, client: String) -> EngagementSummary {
    EngagementSummary(
      run: id, name: name, client: client, sectors: estimate.sectors,
      completed: estimate.completed, failed: estimate.failed, rate: estimate.rate(at: now),
      secondsLeft: estimate.secondsLeft(at: now),
      pass: isGrowing ? currentPart : estimate.passText(passNames),
      parts: isGrowing ? .init(estimate.parts) : nil)
  }

  /// `now survey/a.fits`, or `now …/a.fits` if the name is long; `nil` before the first attempt.
  private var currentPart: String? {
    let beginning = "now "
    let room = EngagementSummary.textLimit - beginning.utf8.count
    return latestPart.isEmpty ? nil : beginning + PeerName.fittedAtEnd(latestPart, to: room)
  }

  /// The job with its outputs, and the counts, when the run has ended.
  func outcome<J: Job>(of type: J.Type) -> (job: J, tally: Tally) {
    guard let job = job as? ErasedJob<J> else { preconditionFailure("another job") }
    return (job.job, tally)
  }
}
