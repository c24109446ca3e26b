import SkyNetCore

/// Takes events to the `Engagement`.
extension EngagementRun {
  /// Tells the `Engagement` of an event, and returns the actions that it answers with.
  ///
  /// - Throws: the errors of the job, and those of the journal, when the job adds a part.
  @inline(__always)
  func actions(after event: Event) async throws -> [EngagementAction] {
    let now = clock.now
    switch event {
    case .slotsGranted(let commitments, let wish, let request):
      return take(commitments, for: wish, request)
    case .attemptStarted(let attempt, let start):
      return engagement.attemptStarted(attempt, start: start.at, limit: start.limit, at: now)
    case .attemptEnded(let attempt, let end):
      stopWaiting(for: attempt)
      lastOutput = end.output
      return engagement.attemptEnded(attempt.id, end.outcome, at: now)
    case .systemsChanged(let change, let count, let drained):
      return await actions(after: change, count, drained, now)
    case .shutdownBegan: return engagement.interrupted()
    case .grew(let part): return try await actions(afterGrowthBy: part)
    case .woke:
      let counts = systems.here { $0.counts(for: kind) }
      return engagement.woke(systems: counts.serving, drained: counts.drained, at: now)
    case .nothing: return []
    }
  }

  /// The name of a slot's system, for people.
  func name(of slot: Slot) -> String { Self.name(of: slot, in: &engagement) }

  /// `inout`, since Swift copies what an actor owns, all of it, to call a method that changes nothing.
  private static func name(of slot: Slot, in engagement: inout Engagement) -> String {
    engagement.name(of: slot)
  }

  private func actions(
    after change: Systems.Change, _ count: Int, _ drained: Int, _ now: Instant
  ) async -> [EngagementAction] {
    var forgiven: [EngagementAction] = []
    if case .connected(let system) = change {
      let killed = systems.here { $0.roster.killed(by: system.place) }
      forgiven = engagement.systemJoined(system.incarnation, afterPlaceKilled: killed)
    }
    if case .renamed(let system, _) = change {
      engagement.systemRenamed(system.incarnation, to: system.name)
    }
    for entry in change.entries(for: kind) { journal?.record(.changed(entry)) }
    for event in change.events(for: kind) { await report(event) }
    return forgiven + engagement.systemsChanged(to: count, drained: drained, at: now)
  }
}
