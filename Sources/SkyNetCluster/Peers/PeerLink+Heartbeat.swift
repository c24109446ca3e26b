import SkyNetCore
import Synchronization

/// The heartbeat.
extension PeerLink {
  /// Pings the peer, and returns when the connection is to end, because the peer is silent or for any other
  /// reason.
  ///
  /// - Throws: `CancellationError`.
  func keepHeartbeat(every interval: Duration) async throws {
    var action = ConnectionLife.Action?.none
    repeat {
      try await clock.sleep(until: clock.now + interval)
      action = decide { life throws(IllegalEvent) in
        try life.ticked(signsOfLife: connection.signsOfLife, at: clock.now)
      }
      perform(action)
    } while action == .ping
  }

  /// Whether the heartbeat has noticed that this process stood still at some time since `start`.
  func stoodStill(since start: Instant, at now: Instant) -> Bool {
    state.withLock { $0.life.stoodStill(since: start, at: now) }
  }
}
