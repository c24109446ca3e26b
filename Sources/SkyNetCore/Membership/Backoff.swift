/// The time to wait before the next try. It doubles with each failure, up to a limit.
package struct Backoff: Hashable, Sendable {
  private let first: Duration
  private let limit: Duration
  private var nextWait: Duration

  package init(first: Duration, limit: Duration) {
    self.first = min(first, limit)
    self.limit = limit
    nextWait = self.first
  }

  /// A try failed. Returns how long to wait before the next one.
  package mutating func failed() -> Duration {
    defer { nextWait = min(nextWait * 2, limit) }
    return nextWait
  }

  /// A try succeeded. The wait after the next failure is the first one again.
  package mutating func succeeded() {
    nextWait = first
  }
}
