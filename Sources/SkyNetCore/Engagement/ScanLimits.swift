/// The time limits of running scans: the engagement's scan timeout, or else the limit of the kind of
/// scan. A kind's limit applies only to attempts whose start is asked for: those in flight for half a
/// minute or more, those of tasks that were tried before, and, once nothing is left to hand out, all.
struct ScanLimits: Sendable {
  private var limits: [Attempt.ID: (end: Instant, limit: Duration)] = [:]
  /// When the first limit may be over. This instant may be too early, and is never too late.
  private(set) var next: Instant?

  /// - Parameter start: may lie in the past, if the scan began for an earlier attempt.
  mutating func started(_ id: Attempt.ID, at start: Instant, limit: Duration) {
    let end = start + limit
    limits[id] = (end, limit)
    next = min(next ?? end, end)
  }

  mutating func ended(_ id: Attempt.ID) {
    if !limits.isEmpty { limits[id] = nil }
  }

  /// Removes the attempts that are over their limit, and returns them in the order in which they
  /// began.
  mutating func removeOverdue(at now: Instant) -> [(id: Attempt.ID, limit: Duration)] {
    guard let next, next <= now else { return [] }
    let over = limits.filter { $0.value.end <= now }.keys.sorted()
    let removed = over.compactMap { id in
      limits.removeValue(forKey: id).map { (id: id, limit: $0.limit) }
    }
    self.next = limits.values.map(\.end).min()
    return removed
  }
}
