import SkyNetCore

/// The heartbeat.
extension PeerLink {
  /// Pings the peer, and returns when the connection is to end, because the peer is silent or for any other
  /// reason.
  ///
  /// - Throws: `CancellationError`.
  func keepHeartbeat(every interval: Duration) async throws {
    var wasSilent = false
    while true {
      try await clock.sleep(until: clock.now + interval)
      let action = decide { life throws(IllegalEvent) in
        try life.ticked(signsOfLife: connection.signsOfLife, at: clock.now)
      }
      guard action == .ping else { return perform(action) }
      connection.send(await ping)
      let silence = life.notableSilence
      guard (silence != nil) != wasSilent, let peer else { continue }
      wasSilent = silence != nil
      onNews(peer, .silent(silence))
    }
  }

  /// A ping, with the summaries of the engagements that run in this process. A program that runs no scans for
  /// others is also told of the nodes that this process relays connections to.
  var ping: Message {
    get async {
      let isProgram = peer?.slots == 0
      return .ping(
        telling: PingBody(
          engagements: await actorSystem.peers.engagementSummaries(
            at: clock.now, client: actorSystem.hello.name),
          relayed: isProgram ? await actorSystem.peers.relayedNodes : []))
    }
  }
}
