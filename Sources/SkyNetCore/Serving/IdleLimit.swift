/// Decides when a system that leaves after some idle time has to leave. While it is kept for something else than its
/// scans, it is not idle: after that, the whole time has to pass again.
package struct IdleLimit: Sendable {
  private let timeout: Duration
  /// When the system was last known to be kept.
  private var kept: Instant?

  package init(_ timeout: Duration) { self.timeout = timeout }

  /// When the system has to leave, as far as is known now; `nil` while it is not idle.
  ///
  /// - Parameters:
  ///   - idleSince: since when no call has run or waited; `nil` while one does.
  ///   - isKept: whether the system is not to leave now: it was drained by request, or others are reached
  ///     through it.
  package mutating func end(idleSince: Instant?, isKept: Bool, at now: Instant) -> Instant? {
    if isKept { kept = now }
    guard let idleSince, !isKept else { return nil }
    return max(idleSince, kept ?? idleSince) + timeout
  }
}
