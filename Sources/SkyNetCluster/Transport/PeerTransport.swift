package import SkyNetCore

/// A way for processes to exchange messages.
///
/// The side that listens serves: it takes nothing more from a peer that does not read its answers,
/// until it does. The side that connects reads even while nothing is read from it, so the two never
/// wait for each other.
package protocol PeerTransport: Sendable {
  /// Opens a connection to a peer that listens.
  ///
  /// - Throws: ``TransportError`` if there is none within the timeout.
  func connect(to endpoint: Endpoint, timeout: Duration) async throws -> any Connection

  /// What anyone may see of the cluster's key: peers with another one cannot be reached. `nil` if
  /// nothing is encrypted.
  var fingerprint: String? { get }

  /// How much one peer may ask this side to hold.
  var limits: WireLimits { get }

  /// Listens for peers; port 0 takes any free one.
  ///
  /// - Throws: ``TransportError`` if the endpoint cannot be listened on.
  func listen(on endpoint: Endpoint) async throws -> any Listener
}

extension PeerTransport {
  package var fingerprint: String? { nil }
  package var limits: WireLimits { WireLimits() }
}

/// A place where peers connect.
package protocol Listener: Sendable {
  /// Where it listens, with the port it got.
  var endpoint: Endpoint { get }
  /// The peers that connected; ends when the listener is closed. To be iterated once.
  var connections: AsyncStream<any Connection> { get }
  /// The peers that connected, and were not let in; ends with `connections`. A reader that is slow
  /// gets only the latest. To be iterated once.
  var refusals: AsyncStream<Refusal> { get }
  /// Why no connection can be taken just now, where the machine is to blame; they are taken again
  /// as soon as they can be. Told once while that lasts. Ends with `connections`, to be iterated
  /// once.
  var faults: AsyncStream<TransportError> { get }
  /// Takes no more connections. Those that were made are not touched.
  func close()
}

extension Listener {
  package var refusals: AsyncStream<Refusal> { AsyncStream { $0.finish() } }
  package var faults: AsyncStream<TransportError> { AsyncStream { $0.finish() } }
}

/// A peer was not let in.
package struct Refusal: Sendable {
  /// Where it came from, without the port, which differs each time.
  package let host: String
  package let reason: String

  package init(host: String, reason: String) {
    self.host = host
    self.reason = reason
  }
}
