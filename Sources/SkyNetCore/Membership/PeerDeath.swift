/// A peer's death, or possible death, and the unanswered calls that may have caused it.
///
/// A scan can kill its process before the news of its start is out. A peer takes calls in order. So
/// of the unanswered calls the first ones, as many as the peer has slots, may have started too. A
/// call that was sent when the peer was silent already has not.
package struct PeerDeath: Hashable, Sendable {
  /// The number of scans that the peer ran at a time.
  private let slots: Int
  /// The last instant at which the peer may have been alive.
  private let lastAlive: Instant

  package init(slots: Int, lastAlive: Instant) {
    self.slots = slots
    self.lastAlive = lastAlive
  }

  /// - Parameter place: the position of the call among the unanswered ones, in the order in which
  ///   they were sent, from 0.
  package func mayBeDue(toCallAt place: Int, sent: Instant, hasStarted: Bool) -> Bool {
    hasStarted || place < slots && sent <= lastAlive
  }
}
