package import SkyNetCore

/// A socket on which a program that engages waits for nodes that dial it, as ``Node`` does when it is told to.
///
/// Some clusters have compute nodes that may connect to others, and that nothing can connect to.
package struct NodeListener: Sendable {
  let listener: any Listener
  /// Where the program listens, with the port that it got.
  package var endpoint: Endpoint { listener.endpoint }
  /// The one address that it listens on; `nil` if it listens on all of the machine's.
  package var address: String? { listener.address }
}

extension Transport {
  /// Listens for nodes that dial; with port 0, on any free port. They are served when a cluster is made with the
  /// listener.
  ///
  /// - Throws: ``TransportError`` if the endpoint cannot be listened on.
  package func listen(on endpoint: Endpoint) async throws -> NodeListener {
    NodeListener(listener: try await peers.listen(on: endpoint))
  }
}
