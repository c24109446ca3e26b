/// How long to wait before trying again: each wait twice the one before, up to a limit.
struct Backoff: Equatable, Sendable {
  let first: Duration
  let limit: Duration
  private var upcoming: Duration

  init(first: Duration = .milliseconds(500), limit: Duration = .seconds(5)) {
    self.first = first
    self.limit = limit
    upcoming = min(first, limit)
  }

  /// The wait before the next try.
  mutating func next() -> Duration {
    defer { upcoming = min(upcoming * 2, limit) }
    return upcoming
  }

  /// A try went well: the next failure waits the shortest time again.
  mutating func reset() {
    upcoming = min(first, limit)
  }
}
