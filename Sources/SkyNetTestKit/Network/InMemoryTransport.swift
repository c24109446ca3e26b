import SkyNetCluster
import SkyNetCore

/// One host's transport on an ``InMemoryNetwork``.
///
/// It always listens under its host's name. Connecting takes no time, so the timeout is ignored: a connection to a
/// host that is cut off fails at once.
struct InMemoryTransport: PeerTransport {
  let host: String
  let keys: InMemoryKeys
  let network: InMemoryNetwork

  var executor: any EngineExecutor { network.executor }
  var fingerprints: [String] { keys.fingerprints }

  func followKeys(
    clock: any ClusterClock, _ changed: @Sendable (KeyNews) async -> Void
  ) async {
    await keys.follow(changed)
  }

  func connect(
    to endpoint: Endpoint, timeout: Duration, announced: [String], by ticket: RelayTicket?
  ) async throws -> any Connection {
    guard ticket == nil else {
      throw TransportError(.cannotConnect, "this network relays no connections")
    }
    return try await network.connect(from: host, keys: keys, to: endpoint)
  }

  func listen(on endpoint: Endpoint) async throws -> any Listener {
    try network.listen(on: Endpoint(host: host, port: endpoint.port), keys: keys)
  }
}

/// A listener on an ``InMemoryNetwork``.
final class InMemoryListener: Listener {
  let endpoint: Endpoint
  let keys: InMemoryKeys
  let connections: AsyncStream<any Connection>
  let refusals: AsyncStream<Refusal>
  private let refused: AsyncStream<Refusal>.Continuation
  private let accepted: AsyncStream<any Connection>.Continuation
  private let network: InMemoryNetwork

  init(_ endpoint: Endpoint, keys: InMemoryKeys, network: InMemoryNetwork) {
    self.endpoint = endpoint
    self.keys = keys
    self.network = network
    (connections, accepted) = AsyncStream.makeStream()
    (refusals, refused) = AsyncStream.makeStream()
  }

  func refuse(_ host: String) {
    refused.yield(Refusal(host: host, reason: "it holds another cluster key"))
  }

  func accept(_ connection: InMemoryConnection) {
    // The listener has closed meanwhile, so the other end sees its connection close.
    if case .terminated = accepted.yield(connection) { connection.close(saying: nil) }
  }

  func close() {
    network.stopListening(self)
    end()
  }

  func end() {
    accepted.finish()
    refused.finish()
  }
}
