package import SkyNetCore

/// A way for processes to exchange messages.
///
/// The side that answers calls, a node, applies back-pressure: it reads nothing more from a peer until the peer
/// reads its answers. The side that calls always reads, even while the other side reads nothing from it. So the two
/// sides never wait for each other.
package protocol PeerTransport: Sendable {
  /// Opens a connection to a peer that listens.
  ///
  /// - Throws: ``TransportError`` if the connection is not open within the timeout.
  func connect(to endpoint: Endpoint, timeout: Duration) async throws -> any Connection

  /// The fingerprint of the cluster's key, which is public. Peers with another fingerprint cannot be reached.
  /// `nil` if connections are not encrypted.
  var fingerprint: String? { get }

  /// How many bytes one peer may have this side hold.
  var limits: WireLimits { get }

  /// Listens for peers. Port 0 means any free port.
  ///
  /// - Throws: ``TransportError`` if the endpoint cannot be listened on.
  func listen(on endpoint: Endpoint) async throws -> any Listener
}

extension PeerTransport {
  package var fingerprint: String? { nil }
  package var limits: WireLimits { WireLimits() }
}

/// Accepts connections of peers.
package protocol Listener: Sendable {
  /// The endpoint on which the listener listens, with the port that it got.
  var endpoint: Endpoint { get }
  /// The connections that were accepted. The stream ends when the listener is closed, and may be iterated once.
  var connections: AsyncStream<any Connection> { get }
  /// The connections that were refused. A slow reader gets only the latest ones. The stream ends with
  /// `connections`, and may be iterated once.
  var refusals: AsyncStream<Refusal> { get }
  /// The reasons why this machine cannot accept connections at the moment. A reason is yielded once while it
  /// lasts, and the listener accepts connections again as soon as it can. The stream ends with `connections`,
  /// and may be iterated once.
  var faults: AsyncStream<TransportError> { get }
  /// Accepts no more connections. Connections that were accepted stay open.
  func close()
}

extension Listener {
  package var refusals: AsyncStream<Refusal> { AsyncStream { $0.finish() } }
  package var faults: AsyncStream<TransportError> { AsyncStream { $0.finish() } }
}

/// A connection that a listener refused.
package struct Refusal: Sendable {
  /// The peer's host, without the port, which differs each time.
  package let host: String
  package let reason: String

  package init(host: String, reason: String) {
    self.host = host
    self.reason = reason
  }
}
