/// How long scans may run, by the engagement's own limit or else by what their kind says.
///
/// By their kind's limit few attempts are here: it is asked when a scan started only of what is under
/// way for half a minute or more, or is tried again.
struct ScanLimits: Sendable {
  private var limits: [Attempt.ID: (end: Instant, limit: Duration)] = [:]
  /// When the first may be over; never late, and sometimes early.
  private(set) var next: Instant?

  /// A scan that may run for so long has started.
  ///
  /// - Parameter start: also long ago, if an earlier attempt has begun it.
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
