/// Decides when a peer is to be pinged, and when it is gone.
///
/// The intuition: any byte received is a sign of life, so a busy connection needs no pong. Silence
/// counts from the last sign. A process that itself stood still (stopped, or its machine asleep)
/// could hear no peer meanwhile, and so must not blame its peers: it counts anew.
package struct Heartbeat: Sendable {
  package enum Verdict: Hashable, Sendable {
    case ping
    case gone(silence: Duration)
  }

  /// However short a timeout a peer announces, it is pinged no more often than this for its sake. One
  /// that wants to hear more often pings too, and hears the pongs.
  package static let shortestForPeer = Duration.milliseconds(100)

  /// How long to wait from one ``tick(signsOfLife:at:)`` to the next: a second, or a fifth of
  /// the shorter of both sides' timeouts if that is less; but for the peer's timeout at least
  /// ``shortestForPeer``.
  package let interval: Duration
  private let timeout: Duration
  private var signsOfLife = 0
  private var lastHeard: Instant
  private var lastTick: Instant
  /// When this process was last found to have stood still.
  private var stoodStillUntil: Instant?

  /// - Parameters:
  ///   - timeout: the silence after which the peer is gone.
  ///   - peerTimeout: the silence after which the peer takes this side for gone.
  package init(timeout: Duration, peerTimeout: Duration, at now: Instant) {
    self.timeout = timeout
    interval = min(.seconds(1), timeout / 5, max(Self.shortestForPeer, peerTimeout / 5))
    lastHeard = now
    lastTick = now
  }

  /// An interval has passed; `signsOfLife` is the connection's count so far.
  package mutating func tick(signsOfLife: Int, at now: Instant) -> Verdict {
    let stoodStill = isOverdue(at: now)
    if stoodStill { stoodStillUntil = now }
    if signsOfLife != self.signsOfLife || stoodStill { lastHeard = now }
    self.signsOfLife = signsOfLife
    lastTick = now
    let silence = lastHeard.duration(to: now)
    return silence >= timeout ? .gone(silence: silence) : .ping
  }

  /// Whether this process stood still at some time since then: what it measured meanwhile tells
  /// nothing of its peer.
  package func stoodStill(since start: Instant, at now: Instant) -> Bool {
    isOverdue(at: now) || stoodStillUntil.map { $0 >= start } ?? false
  }

  private func isOverdue(at now: Instant) -> Bool { lastTick.duration(to: now) > interval * 3 }
}
