import Logging
import SkyNetCore

/// How a node serves the programs that are connected to it.
extension Node {
  /// How many connections from one address are served at a time, so that one machine, under however many names, cannot
  /// make this process hold ever more.
  private static let mostConnections = 256

  /// Serves all peers that connect, until the listener is closed and all connections have ended.
  func serve(_ listener: any Listener) async {
    // Hellos carry the registered name, which is not known before.
    guard (try? await registered.value()) != nil else { return listener.close() }
    await listener.serve { await self.serve($0) }
  }

  /// Serves a connection that a peer has opened, until it ends.
  func serve(_ connection: any Connection) async {
    if let excess = excess(from: connection.remoteAddress) {
      connection.close(saying: Message(.goodbye, encoding: Goodbye(excess)))
      return refusals.log(connectionFrom: connection.remoteAddress, "\(excess)")
    }
    let link = PeerLink(connection, actorSystem: actorSystem, clock: clock) {
      [lender] hello, news in lender?.heard(news, from: hello)
    }
    let ending = await run(link)
    switch ending.error {
    case nil: break
    case is CancellationError:
      logger.debug("a connection ended", metadata: .skynet([.peer: link.remoteAddress]))
    case is AlreadyConnected where joining != nil:
      // The node has dialled the program too, and one of the two connections is enough.
      logger.debug("a second connection", metadata: .skynet([.peer: link.remoteAddress]))
    case let error? where ending.peer == nil:
      refusals.log(connectionFrom: link.remoteAddress, "\(error)")
    case let error?: logBroken(link, error)
    }
    await link.keepOrphans()
  }

  /// Why one more connection from this address is not served; `nil` if it is.
  private func excess(from address: String) -> WireError? {
    guard served.count < transport.mostConnections else {
      return .tooMuch("connections", served.count + 1, limit: transport.mostConnections)
    }
    guard let host = Endpoint(address)?.host else { return nil }
    let count = served.values.count {
      !$0.isDialled && Endpoint($0.remoteAddress)?.host == host
    }
    return count < Self.mostConnections
      ? nil : .tooMuch("connections from one address", count + 1, limit: Self.mostConnections)
  }

  /// Serves a connection until it ends. The caller then keeps its orphans.
  func run(_ link: PeerLink) async -> ConnectionEnding {
    served[ObjectIdentifier(link)] = link
    defer { served[ObjectIdentifier(link)] = nil }
    // The keys may have changed after the handshake, before the table had the connection.
    link.leave(unlessHeldBy: transport)
    let logger = logger
    return await link.run { [actorSystem, lender] hello in
      logger.log(
        level: hello.onlyLooks ? .debug : .info, "connected",
        metadata: .skynet([.client: hello.name]))
      if let difference = VersionDifference(client: hello, node: actorSystem.hello) {
        logger.warning("\(difference)")
      }
      if let lender {
        if hello.slots > 0 { await lender.joined(hello, over: link, at: link.remoteAddress) }
        return
      }
      await self.logRelay(link, hello)
      // A program hears at once, not by the next ping only, of the nodes that it can reach through this one.
      if hello.slots == 0, await !actorSystem.peers.relayedNodes.isEmpty {
        link.connection.send(await link.ping)
      }
    } left: { [actorSystem, lender] hello, ending in
      await lender?.left(hello, over: actorSystem, ending)
      logger.log(
        level: hello.onlyLooks ? .debug : .info, "disconnected",
        metadata: .skynet([.client: hello.name, .reason: ending.reason]))
    }
  }

  /// Tells the peers that this node takes no new calls, or takes them again.
  func announceDrain(_ isDraining: Bool) {
    for link in served.values {
      link.here { isDraining ? $0.announceDrain() : $0.leaveToServeAgain() }
    }
  }

  /// Logs what a connection to another node is good for.
  private func logRelay(_ link: PeerLink, _ hello: Hello) async {
    guard hello.slots > 0 else { return }
    if link.connection.fingerprint == nil {
      logger.warning(
        """
        it is a node too, and nodes relay connections only if these are encrypted: leave out --insecure, \
        or dial an engagement that listens
        """, metadata: .skynet([.peer: hello.name]))
    } else if link.isDialled {
      logger.info(
        "programs reach this node through it, unless it is an engagement's",
        metadata: .skynet([.peer: hello.name]))
    } else {
      logger.info("programs reach it through this node", metadata: .skynet([.peer: hello.name]))
      if await actorSystem.peers.relayedNodes.count > RelayedNode.limit {
        logger.warning(
          "programs are told of \(RelayedNode.limit) nodes only behind this one: let some dial another one"
        )
      }
    }
  }

  nonisolated func logBroken(_ link: PeerLink, _ error: any Error) {
    logger.warning(
      "a connection ended",
      metadata: .skynet([.peer: link.remoteAddress, .reason: "\(error)"]))
  }
}

extension Hello {
  /// Whether the program has nothing scanned, and only looks at the cluster. It comes and goes without news.
  var onlyLooks: Bool { slots == 0 && scans.isEmpty }
}
