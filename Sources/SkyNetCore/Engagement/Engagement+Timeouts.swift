/// How an engagement ends scans that run for too long, and notices that none ends.
extension Engagement {
  /// The most attempts that one report of a stall names.
  private static let reportedAttempts = 3

  /// Cancels and fails the attempts whose scans are over their limit.
  mutating func endOverdue(at now: Instant) -> [EngagementAction] {
    let source = settings.scanTimeout == nil ? ", its kind's limit" : ""
    var actions: [EngagementAction] = []
    for (id, limit) in limits.removeOverdue(at: now) {
      guard let flight = removeFlight(id, at: now) else { continue }
      stalls.ended(at: now)
      log.add(flight.attempt, .overdue)
      let reason = "the scan took longer than \(limit.inSeconds) s\(source)"
      actions.append(.cancel(flight.attempt))
      actions += failed(
        flight, .failed(reason: reason, seconds: limit.inSeconds, code: .timedOut),
        wasCancelled: true, at: now)
    }
    return actions
  }

  /// Looks at the attempts in flight if a look is due. Asks for the start of those that are half a
  /// minute old, and reports a stall if no scan has ended for long.
  mutating func lookForStalls(at now: Instant) -> [EngagementAction] {
    // Having no system is reported separately.
    let isIdle = flights.isEmpty && (isEmpty || noSystemSince != nil || waitsForDrained)
    guard let look = stalls.woke(isIdle: isIdle, at: now) else { return [] }
    var actions: [EngagementAction] = []
    var stalled: [StalledAttempt] = []
    for id in flights.keys {
      guard let flight = flights[id] else { continue }
      if !flight.isWatched, flight.handOutTime <= look.handedOutBefore {
        flights[id]?.isWatched = true
        actions.append(.reportStart(flight.attempt))
      }
      if look.silence != nil {
        stalled.append(
          StalledAttempt(
            attempt: flight.attempt, ran: flight.scanStart?.duration(to: now),
            age: flight.handOutTime.duration(to: now)))
      }
    }
    guard let silence = look.silence else { return actions }
    // The longest-running scans come first, and attempts that are not known to run come last.
    stalled.sort { one, other in
      (one.ran ?? .zero, one.age, other.attempt.id) > (
        other.ran ?? .zero, other.age, one.attempt.id
      )
    }
    actions.append(
      .stalled(Array(stalled.prefix(Self.reportedAttempts)), of: stalled.count, silence: silence))
    return actions
  }
}
