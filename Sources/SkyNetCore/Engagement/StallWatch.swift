/// Notices that no scan ends, and says when to look.
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

  /// `nil` before there was anything to watch.
  private var lastEnd: Instant?
  private var patience = Self.first
  /// Since when nothing is under way, although no scan ended: what was, is lost or came back undone.
  private var pause: Instant?
  /// When to look next; `nil` while nothing is under way, or waits.
  private(set) var next: Instant?

  /// Something may wait, or be under way, from now on.
  mutating func watch(at now: Instant) {
    lastEnd = lastEnd ?? now
    next = next ?? now + Self.interval
  }

  /// An attempt begins.
  ///
  /// - Parameter isFirst: whether no other is under way.
  mutating func began(isFirst: Bool, at now: Instant) {
    if isFirst { goOn(at: now) }
    watch(at: now)
  }

  /// What ended before a pause does not end by it: connections may break faster than any scan ends.
  private mutating func goOn(at now: Instant) {
    guard let pause, let end = lastEnd else { return ended(at: now) }
    lastEnd = end + pause.duration(to: now)
    self.pause = nil
  }

  /// An attempt is no longer under way; ``ended(at:)`` follows if its scan ended.
  ///
  /// - Parameter isLast: whether no other is.
  mutating func left(isLast: Bool, at now: Instant) {
    if isLast { pause = now }
  }

  /// A scan ended, however it did.
  mutating func ended(at now: Instant) {
    lastEnd = now
    patience = Self.first
    pause = nil
  }

  /// Time has passed. Returns what to do, if it is time to look.
  ///
  /// - Parameter isIdle: whether nothing is under way, and nothing waits that a system is there for.
  mutating func woke(isIdle: Bool, at now: Instant) -> Look? {
    guard let next, next <= now, let end = lastEnd else { return nil }
    if isIdle {
      self.next = nil
      return nil
    }
    let silence = end.duration(to: now)
    let isStalled = silence >= patience
    if isStalled { patience = min(patience * 2, Self.last) }
    let telling = max(end + patience, now + .seconds(1))
    self.next = min(now + Self.interval, telling)
    return Look(
      begunBefore: now.advanced(by: .zero - Self.interval), silence: isStalled ? silence : nil)
  }
}

/// An attempt that goes on while none ends.
public struct StalledAttempt: Hashable, Sendable {
  package let attempt: Attempt
  /// How long its scan has run; `nil` while it is not known to have begun.
  public let ran: Duration?
  /// How long it is since it was handed out.
  public let age: Duration

  /// The task that is attempted.
  public var task: TaskID { attempt.task }
}
