import Distributed
package import SkyNetCore

/// Connections to nodes that only dial, through a node that they have dialled.
extension ScanSystem {
  /// Has this process join a connection of the caller with one of a node that has dialled this process.
  ///
  /// - Parameter node: the node that the caller wants to connect to.
  /// - Returns: the ticket that the caller has to bring.
  /// - Throws: `CallFailure` if this process relays no connections, or none to that node; ``ConnectionLost`` if the
  ///   node is gone; `CancellationError`.
  package distributed func relay(to node: Incarnation) async throws -> RelayTicket {
    guard let relay = await actorSystem.peers.relay else {
      throw CallFailure(.system, "this process relays no connections")
    }
    guard await actorSystem.peers.relayedNodes.contains(where: { $0.incarnation == node }) else {
      throw CallFailure(.system, "this process relays no connections to that node")
    }
    let ticket = RelayTicket()
    try relay.expect(ticket)
    do {
      try await ScanSystem.resolve(id: node, using: actorSystem).meet(ticket)
    } catch {
      relay.withdraw(ticket)
      throw error
    }
    return ticket
  }

  /// Has this process connect to the caller's, which it has dialled before, and serve the peer that it meets there.
  ///
  /// - Parameter ticket: what this process has to bring.
  /// - Throws: `CallFailure` if this process has not dialled the caller's; as ``relay(to:)`` otherwise.
  package distributed func meet(_ ticket: RelayTicket) throws {
    guard let context = CallContext.current,
      let endpoint = actorSystem.peers.here({ $0.dialledEndpoint(of: context.client) }),
      let whenToMeet
    else { throw CallFailure(.system, "this process has not dialled the one that asks it to") }
    whenToMeet(ticket, endpoint)
  }
}
