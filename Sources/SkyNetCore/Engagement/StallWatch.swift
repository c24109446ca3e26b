/// Notices that scans run and none ends, and says when to look.
///
/// One watch for all attempts: an end only sets an instant. What is begun is looked at every half
/// minute, so that what has ended by then, nearly all of it, costs nothing.
struct StallWatch: Sendable {
  /// How often attempts are looked at.
  private static let interval = Duration.seconds(30)
  /// How long it may be from one end to the next before that is told of, each time twice as long up
  /// to the last.
  private static let first = Duration.seconds(60)
  private static let last = Duration.seconds(3600)

  /// What to do at a look.
  struct Look: Sendable {
    /// What began before this has been under way for long enough to ask when its scan started.
    var begunBefore: Instant
    /// How long nothing has ended, if that is to be told.
    var silence: Duration?
  }

  private var lastEnd = Instant()
  private var patience = Self.first
  /// When to look next; `nil` while nothing is under way.
  private(set) var next: Instant?

  /// An attempt begins.
  ///
  /// - Parameter isFirst: whether no other is under way.
  mutating func began(isFirst: Bool, at now: Instant) {
    if isFirst { ended(at: now) }
    if next == nil { next = now + Self.interval }
  }

  /// An attempt ended, however it did.
  mutating func ended(at now: Instant) {
    lastEnd = now
    patience = Self.first
  }

  /// Time has passed. Returns what to do, if it is time to look.
  ///
  /// - Parameter isIdle: whether nothing is under way.
  mutating func woke(isIdle: Bool, at now: Instant) -> Look? {
    guard let next, next <= now else { return nil }
    if isIdle {
      self.next = nil
      return nil
    }
    let silence = lastEnd.duration(to: now)
    let isStalled = silence >= patience
    if isStalled { patience = min(patience * 2, Self.last) }
    let telling = max(lastEnd + patience, now + .seconds(1))
    self.next = min(now + Self.interval, telling)
    return Look(
      begunBefore: now.advanced(by: .zero - Self.interval), silence: isStalled ? silence : nil)
  }
}

/// An attempt that goes on while none ends.
public struct StalledAttempt: Hashable, Sendable {
  public let attempt: Attempt
  /// How long its scan has run; `nil` while it is not known to have begun.
  public let ran: Duration?
  /// How long it is since it was handed out.
  public let age: Duration
}
