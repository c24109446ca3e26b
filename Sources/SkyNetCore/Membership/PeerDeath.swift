/// A peer died, or may have: which of the calls that it did not answer may have been what did it.
///
/// A scan can kill its process before the news of its start is out. A peer takes calls in order, so
/// of those without an answer the first ones, as many as it has slots, may have started too; but
/// not what was sent to it when it was silent already.
package struct PeerDeath: Hashable, Sendable {
  private let slots: Int
  private let lastAlive: Instant

  /// - Parameters:
  ///   - slots: how many scans the peer ran at a time.
  ///   - lastAlive: when it may last have been alive.
  package init(slots: Int, lastAlive: Instant) {
    self.slots = slots
    self.lastAlive = lastAlive
  }

  /// Whether a call's scan may be to blame.
  ///
  /// - Parameters:
  ///   - place: the call's among those without an answer, in the order they were sent, from 0.
  ///   - hasStarted: whether its start was heard.
  package func mayBeDue(toCallAt place: Int, sent: Instant, hasStarted: Bool) -> Bool {
    hasStarted || place < slots && sent <= lastAlive
  }
}
