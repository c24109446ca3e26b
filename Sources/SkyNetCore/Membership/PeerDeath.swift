/// A peer's death, or possible death, and the unanswered calls that may have caused it.
///
/// A scan can kill its process before the news of its start is out. A peer takes calls in order. So
/// of the unanswered calls the first ones, as many as the peer has slots, may have started too. A
/// call that was sent when the peer was silent already has not.
package struct PeerDeath: Hashable, Sendable {
  private let slots: Int
  private let lastAlive: Instant

  /// - Parameters:
  ///   - slots: the number of scans that the peer ran at a time.
  ///   - lastAlive: the last instant at which the peer may have been alive.
  package init(slots: Int, lastAlive: Instant) {
    self.slots = slots
    self.lastAlive = lastAlive
  }

  /// Whether the scan of a call may have caused the death.
  ///
  /// - Parameters:
  ///   - place: the position of the call among the unanswered ones, in the order they were sent,
  ///     from 0.
  ///   - hasStarted: whether the peer told that the scan started.
  package func mayBeDue(toCallAt place: Int, sent: Instant, hasStarted: Bool) -> Bool {
    hasStarted || place < slots && sent <= lastAlive
  }
}
