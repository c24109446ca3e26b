/// How many attempts a system is given at a time since it had no room for one (``SystemFull``).
///
/// The limit falls at once to what runs there. After a rest it rises step by step, by a quarter each tenth of a second, as
/// long as there is room for all. Each further shortage makes the next rest twice as long, from a tenth of a second to ten
/// seconds, so that a system which stays short costs an attempt now and then.
struct Shortage: Hashable, Sendable {
  private static let step = Duration.milliseconds(100)

  private(set) var limit = Int.max
  /// When the limit rises next.
  private(set) var end: Instant
  private var isResting = false
  private var backoff = Backoff(first: step, limit: .seconds(10))

  init(at now: Instant) { end = now }

  /// There was no room for an attempt, beside this many that have not come back.
  mutating func foundFull(beside running: Int, at now: Instant) {
    limit = min(limit, running)
    // Attempts that were sent at the same time say nothing new.
    guard !isResting else { return }
    isResting = true
    end = now + backoff.failed()
  }

  mutating func woke(at now: Instant) {
    guard end <= now else { return }
    isResting = false
    limit += max(1, limit / 4)
    end = now + Self.step
  }
}
