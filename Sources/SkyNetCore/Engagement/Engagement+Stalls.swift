/// What is under way for long.
extension Engagement {
  /// How many attempts are named when none ends.
  private static let named = 3

  /// Looks at what is under way, when it is time to.
  mutating func lookForStalls(at now: Instant) -> [EngagementAction] {
    // Of having no system it is told otherwise.
    let isIdle = flights.isEmpty && (isEmpty || aloneSince != nil)
    guard let look = stalls.woke(isIdle: isIdle, at: now) else { return [] }
    var actions: [EngagementAction] = []
    var stalled: [StalledAttempt] = []
    for id in flights.numbers {
      guard let flight = flights[id] else { continue }
      if !flight.isWatched, flight.begun <= look.begunBefore {
        flights[id]?.isWatched = true
        actions.append(.reportStart(flight.attempt))
      }
      if look.silence != nil {
        stalled.append(
          StalledAttempt(
            attempt: flight.attempt, ran: flight.start?.duration(to: now),
            age: flight.begun.duration(to: now)))
      }
    }
    guard let silence = look.silence else { return actions }
    // What runs for longest first, and what is not known to run last.
    stalled.sort { one, other in
      (one.ran ?? .zero, one.age, other.attempt.id) > (
        other.ran ?? .zero, other.age, one.attempt.id
      )
    }
    actions.append(
      .stalled(Array(stalled.prefix(Self.named)), of: stalled.count, silence: silence))
    return actions
  }

  /// Ends the attempts whose scans have run for longer than they may.
  mutating func endOverdue(at now: Instant) -> [EngagementAction] {
    let whose = settings.scanTimeout == nil ? ", its kind's limit" : ""
    var actions: [EngagementAction] = []
    for (id, limit) in limits.takeOver(at: now) {
      guard let flight = land(id, at: now) else { continue }
      stalls.ended(at: now)
      log.add(Transition(flight.attempt, .overdue))
      let reason = "the scan took longer than \(limit.inSeconds) s\(whose)"
      actions.append(.cancel(flight.attempt))
      actions += failed(flight, .failed(reason: reason, seconds: limit.inSeconds), at: now)
    }
    return actions
  }
}
