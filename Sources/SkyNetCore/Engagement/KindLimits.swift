/// How long scans may run by what their own kind says.
///
/// Few attempts are here: only what is under way for half a minute or more is asked when it started.
struct KindLimits: Sendable {
  private var limits: [Attempt.ID: (end: Instant, limit: Duration)] = [:]
  /// When the first may be over; never late, and sometimes early.
  private(set) var next: Instant?

  /// A scan has started that may run for so long.
  mutating func started(_ id: Attempt.ID, at start: Instant, limit: Duration) {
    let end = start + limit
    limits[id] = (end, limit)
    next = min(next ?? end, end)
  }

  mutating func ended(_ id: Attempt.ID) {
    if !limits.isEmpty { limits[id] = nil }
  }

  /// Takes out those that are over their time, in the order in which they were begun.
  mutating func takeOver(at now: Instant) -> [(id: Attempt.ID, limit: Duration)] {
    guard let next, next <= now else { return [] }
    let over = limits.filter { $0.value.end <= now }.keys.sorted()
    let taken = over.compactMap { id in
      limits.removeValue(forKey: id).map { (id: id, limit: $0.limit) }
    }
    self.next = limits.values.map(\.end).min()
    return taken
  }
}
