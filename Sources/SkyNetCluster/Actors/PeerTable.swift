import SkyNetCore

/// The connected peers of a process, and what it runs itself, for whichever of its actors asks.
///
/// This table alone says which peers are connected. ``Systems`` hears of a peer after the peer was added here, and hears
/// of its end before the peer is removed here. So ``Systems`` never has a peer twice at a time.
actor PeerTable: EngineActor {
  /// A peer that has introduced itself.
  ///
  /// A class, so that to look up its connection copies nothing else of it.
  final class Peer {
    let link: PeerLink
    let hello: Hello
    /// The peer's engagements, as its last ping told.
    var engagements: [EngagementSummary] = []

    init(_ link: PeerLink, _ hello: Hello) { (self.link, self.hello) = (link, hello) }
  }

  nonisolated let executor: any EngineExecutor
  nonisolated let unownedExecutor: UnownedSerialExecutor
  private let own: Incarnation
  private var peers: [Incarnation: Peer] = [:]
  /// The engagements of this process.
  private var runs: [EngagementRun] = []
  /// Joins connections that peers open to this process; `nil` if it relays none.
  var relay: (any Relay)?

  init(of own: Incarnation, on executor: any EngineExecutor) {
    self.own = own
    self.executor = executor
    unownedExecutor = executor.asUnownedSerialExecutor()
  }

  // MARK: Peers

  /// Adds a peer that has introduced itself. Returns `false`, and adds nothing, if another connection to the
  /// peer is open.
  func add(_ link: PeerLink, as hello: Hello) -> Bool {
    let id = hello.incarnation
    guard peers[id] == nil, id != own else { return false }
    peers[id] = Peer(link, hello)
    return true
  }

  /// Removes a peer whose connection has ended, if this connection is the one that was added.
  func remove(_ link: PeerLink, as id: Incarnation) {
    if peers[id]?.link === link { peers[id] = nil }
  }

  /// The connection to a peer; `nil` if it is not connected.
  func link(to id: Incarnation) -> PeerLink? { peers[id]?.link }

  /// The connections to all peers.
  var links: [PeerLink] { peers.values.map(\.link) }

  /// The connected programs that have no scans run for others.
  var clients: [Hello] { peers.values.map(\.hello).filter { $0.slots == 0 } }

  // MARK: Engagements

  func began(_ run: EngagementRun) { runs.append(run) }

  func ended(_ run: EngagementRun) { runs.removeAll { $0 === run } }

  /// How far the engagements of this process are.
  ///
  /// - Parameter client: this process's name.
  func engagementSummaries(at now: Instant, client: String) async -> [EngagementSummary] {
    var summaries: [EngagementSummary] = []
    for run in runs { summaries.append(await run.summary(at: now, client: client)) }
    return summaries
  }

  /// A peer tells of its engagements.
  func note(_ engagements: [EngagementSummary], of link: PeerLink, as id: Incarnation) {
    if peers[id]?.link === link { peers[id]?.engagements = engagements }
  }

  /// The engagements of this process, and those of all connected peers, as their last pings told.
  func allEngagements(at now: Instant, client: String) async -> [EngagementSummary] {
    let own = await engagementSummaries(at: now, client: client)
    return (own + peers.values.flatMap(\.engagements))
      .sorted { ($0.client, $0.name) < ($1.client, $1.name) }
  }

  // MARK: Relaying

  /// From now on this process relays connections to the nodes that have dialled it.
  func setRelay(_ relay: (any Relay)?) { self.relay = relay }

  /// The nodes that have dialled this process, if it relays connections.
  var relayedNodes: [RelayedNode] {
    guard relay != nil else { return [] }
    let nodes = peers.values.filter { !$0.link.isDialled && $0.hello.slots > 0 }.map { peer in
      RelayedNode(
        name: peer.hello.name, incarnation: peer.hello.incarnation,
        fingerprint: peer.link.connection.fingerprint)
    }
    return nodes.sorted { $0.incarnation < $1.incarnation }
  }

  /// Where this process has dialled a peer; `nil` if it has not.
  func dialledEndpoint(of peer: Incarnation) -> Endpoint? {
    guard let link = link(to: peer), link.isDialled else { return nil }
    return Endpoint(link.remoteAddress)
  }
}
