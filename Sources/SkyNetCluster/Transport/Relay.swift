package import SkyNetCore

/// Joins connections: where two processes meet that cannot connect to each other.
///
/// The one that may not be connected to has dialled this process. For each connection that another wants to have to
/// it, both connect here and bring the same ticket, and from then on this process passes on what comes from either.
/// The connection is encrypted from end to end, so this process reads none of it.
package protocol Relay: Sendable {
  /// Joins the two connections that bring this ticket from now on, if both come within half a minute.
  ///
  /// - Throws: ``TransportError`` if too many tickets are expected already.
  func expect(_ ticket: RelayTicket) throws
  /// The ticket will not be brought.
  func withdraw(_ ticket: RelayTicket)
}

extension PeerTransport {
  package func answer(
    at relay: Endpoint, timeout: Duration, by ticket: RelayTicket
  ) async throws -> any Connection {
    throw TransportError(.cannotConnect, "this network relays no connections")
  }
}

extension Listener {
  package var relay: (any Relay)? { nil }
}
