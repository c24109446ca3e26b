/// Decides when to ping a peer, and when the peer is gone.
///
/// Every byte received is a sign of life, so a busy connection needs no pong. If this process itself
/// stood still (it was stopped, or its machine slept), it could hear no peer meanwhile. Then it does
/// not blame its peers, and counts the silence anew.
package struct Heartbeat: Sendable {
  /// The shortest interval between pings for the sake of a peer's short timeout. A peer that wants
  /// to hear more often sends pings of its own, and hears the pongs.
  package static let shortestForPeer = Duration.milliseconds(100)

  /// The time from one ``tick(signsOfLife:at:)`` to the next: a second, or a fifth of the shorter
  /// of both timeouts if that is less. For the peer's timeout it is at least ``shortestForPeer``.
  package let interval: Duration
  private let timeout: Duration
  private var signsOfLife = 0
  private var lastHeard: Instant
  private var lastTick: Instant
  /// When this process last noticed that it had stood still.
  private var stoodStillUntil: Instant?

  /// - Parameters:
  ///   - timeout: how long the peer may be silent before this side takes it for gone.
  ///   - peerTimeout: how long this side may be silent before the peer takes it for gone.
  package init(timeout: Duration, peerTimeout: Duration, at now: Instant) {
    self.timeout = timeout
    interval = min(.seconds(1), timeout / 5, max(Self.shortestForPeer, peerTimeout / 5))
    lastHeard = now
    lastTick = now
  }

  /// An interval has passed. `signsOfLife` is the connection's count so far.
  ///
  /// - Returns: how long the peer has been silent if it is gone; `nil` if it is to be pinged.
  package mutating func tick(signsOfLife: Int, at now: Instant) -> Duration? {
    let stoodStill = isOverdue(at: now)
    if stoodStill { stoodStillUntil = now }
    if signsOfLife != self.signsOfLife || stoodStill { lastHeard = now }
    self.signsOfLife = signsOfLife
    lastTick = now
    return silence >= timeout ? silence : nil
  }

  /// How long the peer had been silent at the last tick.
  package var silence: Duration { lastHeard.duration(to: lastTick) }

  /// If this process stood still since `start`, a time measured since then says nothing of the peer.
  package func stoodStill(since start: Instant, at now: Instant) -> Bool {
    isOverdue(at: now) || stoodStillUntil.map { $0 >= start } ?? false
  }

  private func isOverdue(at now: Instant) -> Bool { lastTick.duration(to: now) > interval * 3 }
}
