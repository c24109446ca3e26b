import Logging
package import SkyNetCore

/// A way for processes to exchange messages.
///
/// A side that only answers calls applies back-pressure: it reads nothing more from a peer until the peer reads its
/// answers. A side that has called always reads, even while the other side reads nothing from it. So the two sides
/// never wait for each other.
package protocol PeerTransport: Sendable {
  /// Where the messages of all connections arrive, and so where the actors of the process's cluster run.
  var executor: any EngineExecutor { get }

  /// To be called before the executor is used.
  ///
  /// - Throws: ``TransportError`` if the machine does not let this process have what the executor needs.
  func prepare() throws

  /// Opens a connection to a peer that listens, or through a process that relays it to one that
  /// ``answer(at:timeout:by:)``s.
  ///
  /// - Parameters:
  ///   - endpoint: where the peer listens, or the process that relays.
  ///   - announced: the fingerprints of the keys that the peer announces to hold; empty if it announces nothing.
  ///   - ticket: what the process that relays expects. Only the first key is tried then. `nil` if the peer listens.
  /// - Throws: ``TransportError`` if the connection is not open within the timeout.
  func connect(
    to endpoint: Endpoint, timeout: Duration, announced: [String], by ticket: RelayTicket?
  ) async throws -> any Connection

  /// Accepts a connection through a process that relays it, as a listener would if the peer could connect to it.
  ///
  /// - Throws: ``TransportError`` if the connection is not open within the timeout.
  func answer(
    at relay: Endpoint, timeout: Duration, by ticket: RelayTicket
  ) async throws -> any Connection

  /// The fingerprints of the keys that are held at present, newest first; empty if connections are not encrypted.
  var fingerprints: [String] { get }

  /// Follows the changes of the keys until cancelled, and calls `changed` after each. Returns at once if the
  /// keys cannot change. The owner of the connections ends those that were made by a key that is no longer held.
  func followKeys(clock: any ClusterClock, _ changed: @Sendable (KeyNews) async -> Void) async

  /// How many bytes one peer may have this side hold.
  var limits: WireLimits { get }

  /// How many connections of peers this process has room for at a time.
  var mostConnections: Int { get }

  /// Listens for peers. Port 0 means any free port.
  ///
  /// - Throws: ``TransportError`` if the endpoint cannot be listened on.
  func listen(on endpoint: Endpoint) async throws -> any Listener
}

extension PeerTransport {
  package func prepare() throws {}
  package func answer(
    at relay: Endpoint, timeout: Duration, by ticket: RelayTicket
  ) async throws -> any Connection {
    throw TransportError(.cannotConnect, "this network relays no connections")
  }
  package var fingerprints: [String] { [] }
  package var mostConnections: Int { .max }
  package func followKeys(
    clock: any ClusterClock, _ changed: @Sendable (KeyNews) async -> Void
  ) async {}
  package var limits: WireLimits { WireLimits() }

  /// Opens a connection to a peer that announces nothing.
  package func connect(to endpoint: Endpoint, timeout: Duration) async throws -> any Connection {
    try await connect(to: endpoint, timeout: timeout, announced: [], by: nil)
  }

  /// Whether a connection was made by a key that is still held. Connections without a key always count.
  package func holdsKey(of connection: any Connection) -> Bool {
    connection.fingerprint.map { fingerprints.contains($0) } ?? true
  }
}

package protocol Listener: Sendable {
  /// Where the listener listens, with the port that it got.
  var endpoint: Endpoint { get }
  /// The one address that the listener listens on; `nil` if it listens on all of the machine's.
  var address: String? { get }
  /// The connections that were accepted. This stream and the next two end when the listener is closed, and may be
  /// iterated once.
  var connections: AsyncStream<any Connection> { get }
  /// The connections that were refused. A slow reader gets only the latest ones.
  var refusals: AsyncStream<Refusal> { get }
  /// The reasons why this machine cannot accept connections at the moment. A reason is yielded once while it
  /// lasts, and the listener accepts connections again as soon as it can.
  var faults: AsyncStream<TransportError> { get }
  /// Joins connections that come here; `nil` if the listener accepts only those that are for this process.
  var relay: (any Relay)? { get }
  /// Accepts no more connections. Connections that were accepted stay open.
  func close()
}

extension Listener {
  package var address: String? { nil }
  package var relay: (any Relay)? { nil }
  package var refusals: AsyncStream<Refusal> { AsyncStream { $0.finish() } }
  package var faults: AsyncStream<TransportError> { AsyncStream { $0.finish() } }

  /// Serves each connection in a task of its own, until the listener is closed and all connections have ended.
  /// Cancelling closes the listener, and cancels these tasks.
  func serve(_ serve: @escaping @Sendable (any Connection) async -> Void) async {
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        for await connection in connections { group.addTask { await serve(connection) } }
      }
    } onCancel: {
      close()
    }
  }
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

/// News of the keys that a transport authenticates peers by.
package enum KeyNews: Hashable, Sendable {
  /// Other keys are held from now on; the words tell which, for people. The transport's fingerprints are the
  /// new ones already.
  case changed(String)
  /// For this reason the keys cannot be read at present, and the former ones stay in force.
  case fault(String)
  /// The keys can be read again, and are the same as before.
  case mended

  var level: Logger.Level {
    switch self {
    case .changed, .mended: .notice
    case .fault: .warning
    }
  }

  /// What the log says of the process, as in "this node holds the key …".
  var text: String {
    switch self {
    case .changed(let words): words
    case .fault(let reason): "keeps its keys: \(reason)"
    case .mended: "can read its key file again, and keeps its keys"
    }
  }
}

/// Joins connections of processes that cannot connect to each other, and of which one has dialled this process: both
/// connect here and bring the same ticket, and from then on this process passes on what comes from either. The
/// connection is encrypted from end to end, so this process reads none of it.
package protocol Relay: Sendable {
  /// Joins the two connections that bring this ticket from now on, if both come within half a minute.
  ///
  /// - Throws: ``TransportError`` if too many tickets are expected already.
  func expect(_ ticket: RelayTicket) throws
  func withdraw(_ ticket: RelayTicket)
}
