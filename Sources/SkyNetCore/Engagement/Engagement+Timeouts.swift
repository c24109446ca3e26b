/// How an engagement ends scans that run for too long.
extension Engagement {
  /// Cancels and fails the attempts whose scans are over their limit: the engagement's scan timeout,
  /// or else the limit of their kind.
  mutating func endOverdue(at now: Instant) -> [EngagementAction] {
    let source = settings.scanTimeout == nil ? ", its kind's limit" : ""
    var actions: [EngagementAction] = []
    for (id, limit) in limits.removeOverdue(at: now) {
      guard let flight = removeFlight(id, at: now) else { continue }
      stalls.ended(at: now)
      log.add(flight.attempt, .overdue)
      let reason = "the scan took longer than \(limit.inSeconds) s\(source)"
      actions.append(.cancel(flight.attempt))
      actions += failed(flight, .failed(reason: reason, seconds: limit.inSeconds), at: now)
    }
    return actions
  }
}
