/// How long to wait before the next try: twice as long each time, up to a limit.
package struct Backoff: Hashable, Sendable {
  private let first: Duration
  private let limit: Duration
  private var upcoming: Duration

  package init(first: Duration, limit: Duration) {
    self.first = min(first, limit)
    self.limit = limit
    upcoming = self.first
  }

  /// A try failed. Returns how long to wait.
  package mutating func failed() -> Duration {
    defer { upcoming = min(upcoming * 2, limit) }
    return upcoming
  }

  /// A try succeeded: the next failure starts anew.
  package mutating func succeeded() {
    upcoming = first
  }
}
