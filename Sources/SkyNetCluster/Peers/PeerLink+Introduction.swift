import SkyNetCore

/// The introduction of the peer.
extension PeerLink {
  /// A peer has at least this long to introduce itself, even if this side's timeout is shorter.
  private static let shortestHelloTimeout = Duration.seconds(5)

  /// Waits for the peer's hello.
  ///
  /// - Throws: `WireError` if the hello does not come in time; `CancellationError`.
  func awaitHello() async throws -> Hello {
    let patience = max(Self.shortestHelloTimeout, .seconds(actorSystem.hello.timeoutSeconds))
    let hello = try await clock.attempt(until: clock.now + patience) { [peerHello] in
      try await peerHello.value()
    }
    if let hello { return hello }
    let error = WireError.noHello(within: patience)
    end(for: .offended(error))
    throw error
  }

  /// Adds this connection to those of the process. Returns `false` if there is another one to the same peer.
  ///
  /// A program may open two connections to a node at the same time, by two of its addresses, or open one while the
  /// node opens another. If each side then closed the connection whose hello came to it second, both might close, and
  /// again and again. So the program closes one, and the node waits for that.
  func isAdded(as hello: Hello) async -> Bool {
    // A process that claims to be this one has no other connection to wait for.
    guard hello.incarnation != actorSystem.incarnation else { return false }
    let deadline = clock.now + .seconds(actorSystem.hello.timeoutSeconds)
    while await !actorSystem.peers.add(self, as: hello) {
      guard actorSystem.servesOthers, hello.slots == 0, clock.now < deadline else { return false }
      // If none is found, the other connection has ended since this one was refused.
      guard let other = await actorSystem.peers.link(to: hello.incarnation) else { continue }
      _ = try? await clock.attempt(until: deadline) { await other.waitUntilEnded() }
      if Task.isCancelled { return false }
    }
    return true
  }

  /// The peer's hello has arrived.
  func introduced(_ hello: Hello) {
    peer = hello
    window = CallWindow(limit: hello.heldBytes)
    let isThisProcess = hello.incarnation == actorSystem.incarnation
    perform(
      decide { life throws(IllegalEvent) in try life.introduced(isThisProcess: isThisProcess) })
    peerHello.complete(.success(hello))
  }
}
