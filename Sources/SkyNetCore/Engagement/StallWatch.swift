/// Notices that no scan ends, and says when to look at the attempts in flight.
///
/// Attempts are looked at every half minute. Nearly all of them have ended by then, and so cost
/// nothing; the end of a scan only sets an instant.
struct StallWatch: Sendable {
  private static let interval = Duration.seconds(30)
  /// How long no scan has to end for a report. Each report doubles it, from the first to the longest.
  private static let firstPatience = Duration.seconds(60)
  private static let longestPatience = Duration.seconds(3600)

  struct Look: Sendable {
    /// The start of attempts that were handed out before this instant is to be asked for.
    let handedOutBefore: Instant
    /// How long no scan has ended, if that is to be reported.
    let silence: Duration?
  }

  /// When a scan ended last, not counting pauses. `nil` before there is anything to watch.
  private var lastEnd: Instant?
  private var patience = Self.firstPatience
  /// When the last attempt left without its scan ending: it was lost, or came back undone. `nil`
  /// while attempts are in flight.
  private var pauseStart: Instant?
  /// When to look next; `nil` while no attempt is in flight or waits.
  private(set) var next: Instant?

  /// Attempts may be in flight or wait from now on.
  mutating func watch(at now: Instant) {
    lastEnd = lastEnd ?? now
    next = next ?? now + Self.interval
  }

  /// - Parameter isFirst: whether no other attempt is in flight.
  mutating func began(isFirst: Bool, at now: Instant) {
    if isFirst, let pauseStart, let end = lastEnd {
      // The pause does not count as time without an end, and does not end that time either, because
      // connections may break faster than any scan ends.
      lastEnd = end + pauseStart.duration(to: now)
      self.pauseStart = nil
    } else if isFirst {
      ended(at: now)
    }
    watch(at: now)
  }

  /// An attempt is no longer in flight. If its scan ended, ``ended(at:)`` follows.
  ///
  /// - Parameter isLast: whether no other attempt is in flight.
  mutating func left(isLast: Bool, at now: Instant) {
    if isLast { pauseStart = now }
  }

  mutating func ended(at now: Instant) {
    lastEnd = now
    patience = Self.firstPatience
    pauseStart = nil
  }

  /// Time has passed. Returns what to do if a look is due.
  ///
  /// - Parameter isIdle: whether no attempt is in flight, and no task waits for a system that is
  ///   there.
  mutating func woke(isIdle: Bool, at now: Instant) -> Look? {
    guard let next, next <= now, let end = lastEnd else { return nil }
    if isIdle {
      self.next = nil
      return nil
    }
    let silence = end.duration(to: now)
    let isStalled = silence >= patience
    if isStalled { patience = min(patience * 2, Self.longestPatience) }
    let nextReport = max(end + patience, now + .seconds(1))
    self.next = min(now + Self.interval, nextReport)
    return Look(handedOutBefore: now - Self.interval, silence: isStalled ? silence : nil)
  }
}

/// An attempt that is in flight while no scan ends.
package struct StalledAttempt: Hashable, Sendable {
  package let attempt: Attempt
  /// How long the scan has run; `nil` if it is not known to have begun.
  package let ran: Duration?
  /// How long ago the attempt was handed out.
  package let age: Duration
}
