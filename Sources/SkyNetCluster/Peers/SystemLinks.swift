import SkyNetCore

/// The connections of a program that engages: what they tell ``Systems`` of their peers.
struct SystemLinks: Sendable {
  let actorSystem: ClusterActorSystem
  let systems: Systems
  let clock: any ClusterClock

  /// Serves a connection until it ends. `systems` reports the end.
  ///
  /// A peer that has dialled this process is a system if it has slots; without, it is another program that
  /// engages or looks on, and nothing is reported of it.
  ///
  /// - Parameter isDialled: whether this process has opened the connection.
  /// - Returns: whether the peer was connected.
  /// - Throws: the reason, if the peer was not connected; ``AlreadyConnected`` among others.
  func serve(_ connection: any Connection, isDialled: Bool) async throws -> Bool {
    let link = PeerLink(
      connection, actorSystem: actorSystem, clock: clock, isDialled: isDialled,
      onDrain: { [systems] id, client in systems.draining(id, by: client) },
      onSilence: { [systems] id, silence in systems.silent(id, for: silence) })
    do {
      try await link.run { [systems] hello in
        guard isDialled || hello.slots > 0 else { return }
        try? await systems.joined(hello, at: connection.remoteAddress)
      } left: { [systems] hello, reason in
        guard isDialled || hello.slots > 0 else { return }
        await systems.left(hello.incarnation, reason: reason)
      }
    } catch {
      guard link.wasConnected else { throw error }
    }
    return link.wasConnected
  }
}
