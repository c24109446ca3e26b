import SkyNetCore
import Synchronization

extension PeerLink {
  /// Pings the peer, and returns when the connection parts because the peer is silent, or for any
  /// other reason.
  ///
  /// - Throws: `CancellationError`.
  func keepHeartbeat(every interval: Duration) async throws {
    var action = ConnectionLife.Action?.none
    repeat {
      try await clock.sleep(until: clock.now + interval)
      action = tell { life throws(IllegalEvent) in
        try life.ticked(signsOfLife: connection.signsOfLife, at: clock.now)
      }
      carryOut(action)
    } while action == .ping
  }

  /// Whether this process stood still at some time since then, as far as is known.
  func stoodStill(since start: Instant, at now: Instant) -> Bool {
    state.withLock { $0.life.stoodStill(since: start, at: now) }
  }
}
