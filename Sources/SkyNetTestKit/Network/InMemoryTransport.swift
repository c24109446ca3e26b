import SkyNetCore
import SkyNetTransport

/// One host's way to an ``InMemoryNetwork``.
///
/// It listens under its host's name, whatever host is asked for. To connect takes no time, so its
/// timeout is not needed: to a host that is cut off it fails at once, as it would in the end.
struct InMemoryTransport: Transport {
  let host: String
  let network: InMemoryNetwork

  func connect(to endpoint: Endpoint, timeout: Duration) async throws -> any Connection {
    try network.connect(from: host, to: endpoint)
  }

  func listen(on endpoint: Endpoint) async throws -> any Listener {
    try network.listen(on: Endpoint(host: host, port: endpoint.port))
  }
}

/// A place on an ``InMemoryNetwork`` where peers connect.
final class InMemoryListener: Listener {
  let endpoint: Endpoint
  let connections: AsyncStream<any Connection>
  private let accepted: AsyncStream<any Connection>.Continuation
  private let network: InMemoryNetwork

  init(_ endpoint: Endpoint, network: InMemoryNetwork) {
    self.endpoint = endpoint
    self.network = network
    (connections, accepted) = AsyncStream.makeStream()
  }

  func accept(_ connection: InMemoryConnection) {
    // Closed just now: the other end finds its connection closed as well.
    if case .terminated = accepted.yield(connection) { connection.close(saying: nil) }
  }

  func close() {
    network.stopListening(self)
    end()
  }

  func end() {
    accepted.finish()
  }
}
