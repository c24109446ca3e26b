import Logging
import SkyNetCore

/// The connections of a program that engages: what they tell ``Systems`` of their peers. If the program lends its own
/// system, the connections of the node that it has for that tell it here too.
struct SystemLinks: Sendable {
  let actorSystem: ClusterActorSystem
  let systems: Systems
  let transport: any PeerTransport
  let relayed: RelayedNodes
  let clock: any ClusterClock

  /// Serves a node that has dialled this program, until the connection ends.
  func accepted(_ connection: any Connection, _ refusals: RefusalLogger, _ logger: Logger) async {
    do {
      _ = try await serve(connection, nil)
    } catch is CancellationError {
    } catch is AlreadyConnected {
      // This process has connected to the node too, and one of the two connections is enough.
      logger.debug("a second connection", metadata: .skynet([.peer: connection.remoteAddress]))
    } catch {
      refusals.log(connectionFrom: connection.remoteAddress, "\(error)")
    }
  }

  /// Serves a connection until it ends. `systems` reports the end.
  ///
  /// A peer without slots is another program that engages or looks on, and no system. If it has dialled this
  /// process, it stays connected and nothing is reported of it; if this process has dialled it, that was a mistake.
  ///
  /// - Parameter route: where the connection should lead; `nil` if the peer has opened it.
  /// - Throws: the reason, if the peer was not connected; ``AlreadyConnected`` and ``OtherPeer`` among others.
  func serve(
    _ connection: any Connection, _ route: Connector.Route?
  ) async throws -> ConnectionEnding {
    let isDialled = route != nil
    // A peer that has dialled this process is connected to at another address, which is not known here.
    let endpoint = isDialled ? Endpoint(connection.remoteAddress) : nil
    let link = PeerLink(
      connection, actorSystem: actorSystem, clock: clock, isDialled: isDialled,
      expecting: route?.expected
    ) { hello, news in
      if case .relays(let nodes) = news {
        if let endpoint { relayed.tell { $0.update(hello, at: endpoint, nodes) } }
      } else {
        heard(news, from: hello)
      }
    }
    let ending = await link.run { hello in
      if isDialled, hello.incarnation == systems.local?.id {
        link.leave(saying: "it is this process's own")
      } else if hello.slots > 0 {
        await joined(hello, over: link, at: address(of: hello, at: connection, route))
      } else if isDialled {
        link.leave(saying: "neither side runs scans for the other")
      }
      // The keys may have changed during the handshake, before the actor system knew the connection.
      link.leave(unlessHeldBy: transport)
    } left: { hello, ending in
      if let endpoint { relayed.tell { $0.update(hello, at: endpoint, []) } }
      if hello.slots > 0 { await left(hello, over: actorSystem, ending) }
    }
    if ending.peer == nil, let error = ending.error { throw error }
    guard isDialled, let peer = ending.peer else { return ending }
    if peer.incarnation == systems.local?.id { throw ConnectedToItself() }
    if peer.slots == 0 {
      throw TransportError(
        .refused, "it is no node, but a program that engages, and runs no scans for others")
    }
    return ending
  }

  // MARK: What a peer tells, of a connection of this program or of the node that lends its system

  /// The peer has introduced itself as a system.
  func joined(_ hello: Hello, over link: PeerLink, at address: String) async {
    try? await systems.joined(hello, at: address, over: link.actorSystem)
  }

  func heard(_ news: PeerLink.News, from hello: Hello) {
    systems.tell { systems in
      switch news {
      case .drains(let client): systems.draining(hello.incarnation, by: client)
      case .silent(let silence): systems.silent(hello.incarnation, for: silence)
      case .asksForScans: systems.helping(hello)
      case .relays: break
      }
    }
  }

  func left(_ hello: Hello, over connections: ClusterActorSystem, _ ending: ConnectionEnding) async
  {
    let wasSystem = await systems.left(
      hello.incarnation, reason: ending.reason, inOrder: ending.isInOrder, over: connections)
    guard wasSystem else { return }
    // A spare connection ends too: whoever has dialled connects anew, and the peer is a system again.
    for other in [actorSystem, systems.local?.actorSystem] where other !== connections {
      await other?.peers.link(to: hello.incarnation)?.leave(saying: "connect anew")
    }
  }

  /// A peer's address for people. Peers behind one process that relays have its address, so part of their
  /// incarnations is added.
  private func address(
    of hello: Hello, at connection: any Connection, _ route: Connector.Route?
  ) -> String {
    guard route?.isRelayed == true else { return connection.remoteAddress }
    return "\(connection.remoteAddress)#\(hello.incarnation.description.prefix(8).lowercased())"
  }
}
