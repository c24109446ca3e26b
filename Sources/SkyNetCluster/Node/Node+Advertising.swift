import Logging
import SkyNetCore

/// How a node is found, and which other nodes its log mentions.
extension Node {
  /// Advertises the node in all ways until cancelled, and anew with each change of its keys.
  ///
  /// - Parameter address: the one address that the node listens on; `nil` if it listens on all of its machine's.
  nonisolated func advertise(_ endpoint: Endpoint, at address: String?) async {
    guard let first = advertisers.first else { return becomeReady(settings.name, endpoint) }
    if let address { warn(ofLoopback: address, endpoint) }
    await withDiscardingTaskGroup { group in
      group.addTask { await self.serveUnregisteredAfterTimeout(endpoint) }
      await keyChanges.repeat {
        let advertisement = self.advertisement(of: endpoint, at: address)
        await withDiscardingTaskGroup { group in
          for further in self.advertisers.dropFirst() {
            group.addTask { await self.advertise(advertisement, by: further) }
          }
          group.addTask { await self.register(advertisement, endpoint, by: first) }
        }
      }
      group.cancelAll()
    }
  }

  /// What is advertised while the node holds the keys that it holds now.
  private nonisolated func advertisement(of endpoint: Endpoint, at address: String?)
    -> Advertisement
  {
    Advertisement(
      name: settings.name, port: endpoint.port, slots: settings.slots,
      incarnation: actorSystem.incarnation, protocolVersion: SkyNetVersion.wireProtocol,
      fingerprints: transport.fingerprints, address: address)
  }

  /// Debian gives a machine's own name such an address in `/etc/hosts`, so the user may not have meant it.
  private nonisolated func warn(ofLoopback address: String, _ endpoint: Endpoint) {
    guard Endpoint(host: address, port: endpoint.port).isLoopback else { return }
    let place = endpoint.host == address ? address : "\(endpoint.host), which is \(address) here"
    logger.warning(
      """
      listens only on \(place): programs on other machines neither find nor reach this node; without an address it \
      listens on all of this machine's
      """)
  }

  private nonisolated func register(
    _ advertisement: Advertisement, _ endpoint: Endpoint, by advertiser: any Advertiser
  ) async {
    for await event in advertiser.advertise(advertisement) {
      switch event {
      case .registered(let name):
        await noteAdvertisedName(name)
        logger.info("registered", metadata: .skynet([.node: name]))
        becomeReady(name, endpoint)
      case .unavailable(let reason):
        logger.warning(
          "not advertised: \(reason); until it is, others need --peers to find this node")
        becomeReady(settings.name, endpoint)
      }
    }
  }

  /// Advertises the node in a further way. Its name there is only for people.
  private nonisolated func advertise(_ advertisement: Advertisement, by further: any Advertiser)
    async
  {
    for await event in further.advertise(advertisement) {
      guard case .unavailable(let reason) = event else { continue }
      logger.warning("not advertised: \(reason)")
    }
  }

  /// Lets the node serve under the name of its settings if it is not registered in time.
  private nonisolated func serveUnregisteredAfterTimeout(_ endpoint: Endpoint) async {
    guard (try? await clock.sleep(until: clock.now + settings.registrationTimeout)) != nil,
      !registered.isComplete
    else { return }
    logger.warning("not advertised yet: the daemon does not answer; others need --peers")
    becomeReady(settings.name, endpoint)
  }

  // MARK: Other nodes

  /// Logs the other nodes, and all of them again after a change of the keys, as others are foreign then.
  nonisolated func logOtherNodes() async {
    await keyChanges.repeat {
      await withDiscardingTaskGroup { group in
        for discovery in self.discoveries {
          group.addTask { await self.logOtherNodes(discovery.events()) }
        }
      }
    }
  }

  private func noteAdvertisedName(_ name: String) { advertisedName = name }

  private func note(_ other: String, isThere: Bool) {
    if isThere { others.insert(other) } else { others.remove(other) }
  }

  private nonisolated func logOtherNodes(_ events: AsyncStream<DiscoveryEvent>) async {
    var foreignNodes = ForeignNodes()
    // Until then, the announcement of this node's former process looks like another node.
    guard (try? await registered.value()) != nil else { return }
    for await event in events {
      let ownName = await advertisedName
      switch event {
      // Its own advertisement, which may be one of a moment ago, with a former key, or that of its former process.
      case .found(let peer)
      where peer.incarnation == actorSystem.incarnation || peer.name == ownName:
        break
      case .lost(let name) where name == ownName: break
      case .found(let peer) where !peer.mayBelong(to: transport.fingerprints):
        // Its owner may wonder why nobody engages it: the keys differ.
        guard foreignNodes.found(peer) else { continue }
        var node = ForeignNode(peer)
        node.account = LocalAccount(listeningAt: peer.endpoints)
        let text = ForeignNodesText(
          [node], ownFingerprint: transport.fingerprints.first)
        logger.info("\(text.line)")
      case .found(let peer):
        foreignNodes.lost(peer.name)
        await note(peer.name, isThere: true)
        logger.info("another node is there", metadata: .skynet([.peer: peer.name]))
      case .lost(let name):
        foreignNodes.lost(name)
        await note(name, isThere: false)
        logger.info("a node is no longer there", metadata: .skynet([.peer: name]))
      case .unavailable(let reason):
        logger.debug("no discovery", metadata: .skynet([.reason: reason]))
      case .available: break
      }
    }
  }
}
