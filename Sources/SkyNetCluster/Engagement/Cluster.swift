public import Logging
public import SkyNetCore

/// The systems that a program is connected to while a closure runs. A program that has scans to spread over
/// them begins here.
///
/// ```swift
/// let settings = ClusterSettings(name: "my program", localSlots: 4)
/// try await Cluster.with(
///   settings, scans: [Primes()], discoveries: [DNSSD()], transport: .tcp(.ofThisAccount())
/// ) { cluster in
///   for try await sector in cluster.results(of: Primes(), for: ranges) { … }
/// }
/// ```
///
/// `withCluster` of SkyNetKit does the same with the defaults of the command `skynet engage`.
public struct Cluster: Sendable {
  /// The actor that knows the connected systems and their slots, for a program that hands out its scans itself. With a
  /// ``coordinator(_:)``, or `results(of:for:engagement:)`, a program leaves that to SkyNet.
  public let systems: Systems
  let actorSystem: ClusterActorSystem
  let clock: any ClusterClock
  let engagements: EngagementQueue
  let connector: Connector

  /// Finds systems, keeps connections to them while `body` runs, and then says goodbye to them.
  ///
  /// - Parameters:
  ///   - settings: the program's name, its own slots, and when a silent peer counts as gone.
  ///   - scans: the scans that the program engages the systems for. The local system, if any, runs them too.
  ///   - discoveries: the ways to find systems.
  ///   - advertisers: the ways in which others find this program's own system, if it serves them.
  ///   - transport: how to connect to systems, and which of them are members.
  ///   - clock: measures all times; a test may pass a clock that it moves itself.
  ///   - logger: takes the warnings about peers that cannot be reached.
  ///   - body: engages the cluster. The connections end when it returns or throws.
  /// - Throws: the error of `body`; ``TransportError`` if this process cannot connect to others.
  public static func with<Result: Sendable>(
    _ settings: ClusterSettings, scans: [any Scan], discoveries: [any Discovery],
    advertisers: [any Advertiser] = [], transport: Transport,
    clock: any ClusterClock = SteadyClock(), logger: Logger = Logger(label: "skynet.cluster"),
    _ body: (Cluster) async throws -> Result
  ) async throws -> Result {
    try await with(
      settings, scans: scans, discoveries: discoveries, advertisers: advertisers,
      transport: transport, listener: nil, clock: clock, logger: logger, body)
  }

  /// The same, for a program that nodes may dial.
  ///
  /// - Parameters:
  ///   - listener: where they may; it is closed at the end. A program that serves others serves them there too.
  ///   - lending: called once, with the id of the program's own system, before others can reach that.
  ///   - onServing: called once, when others can reach it.
  package static func with<Result: Sendable>(
    _ settings: ClusterSettings, scans: [any Scan], discoveries: [any Discovery],
    advertisers: [any Advertiser] = [], transport: Transport, listener: (any Listener)?,
    clock: any ClusterClock = SteadyClock(), logger: Logger = Logger(label: "skynet.cluster"),
    lending: (Incarnation) -> Void = { _ in }, onServing: @escaping Node.Ready = { _, _ in },
    _ body: (Cluster) async throws -> Result
  ) async throws -> Result {
    try transport.peers.prepare()
    let executor = transport.peers.executor
    let actorSystem = ClusterActorSystem(
      name: settings.name, slots: 0, timeout: settings.timeout, registry: ScanRegistry(scans),
      executor: executor)
    // A program that lends its own system is two: the program has no slots, and dials; its node has them, and listens.
    // They share the scan system.
    var (node, listener) = (Node?.none, listener)
    if settings.servesOthers, settings.localSlots > 0 {
      var lent = NodeSettings(
        name: settings.name, slots: settings.localSlots, endpoint: .everywhere(port: 0),
        timeout: settings.timeout)
      lent.owner = actorSystem.incarnation
      if listener == nil { listener = try await transport.peers.listen(on: lent.endpoint) }
      node = Node(
        lent, scans: scans, transport: transport, advertisers: advertisers, clock: clock,
        logger: logger, onReady: onServing)
      if let node { lending(node.incarnation) }
    }
    let local =
      node?.system
      ?? (settings.localSlots > 0
        ? ScanSystem(
          slots: settings.localSlots, actorSystem: actorSystem, clock: clock, logger: logger)
        : nil)
    let systems = Systems(
      actorSystem: actorSystem, local: local, localSlots: settings.localSlots,
      yieldsToNodesHere: settings.yieldsToNodesHere && node == nil, clock: clock)
    let relayed = RelayedNodes(on: executor)
    let links = SystemLinks(
      actorSystem: actorSystem, systems: systems, transport: transport.peers, relayed: relayed,
      clock: clock)
    let connector = Connector(
      transport: transport.peers, actorSystem: actorSystem, ownNode: node?.actorSystem,
      clock: clock,
      logger: logger
    ) { try await links.serve($0, $1) }
    let keys = KeyChanges(on: executor)
    let engagements = EngagementQueue()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: executor) {
        await connector.run(discoveries + [relayed], told: keys)
      }
      group.addTask(executorPreference: executor) {
        await keys.follow(transport.peers, of: "this program", clock: clock, logger: logger)
      }
      if let listener, let node {
        group.addTask { await node.lend(on: listener, for: links) }
      } else if let listener {
        let refusals = RefusalLogger(clock: clock, logger: logger, on: executor)
        group.addTask { await refusals.follow(listener) }
        group.addTask(executorPreference: executor) {
          await listener.serve { await links.accepted($0, refusals, logger) }
        }
      }
      group.addTask(executorPreference: executor) { await systems.retryOpenBreakers() }
      group.addTask { await engagements.serve() }
      let result: Swift.Result<Result, any Error>
      do {
        result = .success(
          try await body(
            Cluster(
              systems: systems, actorSystem: actorSystem, clock: clock, engagements: engagements,
              connector: connector)))
      } catch {
        result = .failure(error)
      }
      // The goodbyes are on their way before the connections are cancelled.
      for link in await actorSystem.peers.links { await link.end(for: .left(Goodbye("done"))) }
      await node?.leave()
      group.cancelAll()
      return try result.get()
    }
  }

  /// The peers that are connected, in the order in which they connected.
  public var connectedSystems: [RemoteSystem] {
    get async { await systems.connected }
  }

  /// The nodes of other clusters that discovery reports at present.
  package var foreignNodes: [ForeignNode] { get async { await connector.foreignNodes.all } }

  /// The fingerprint of this program's own cluster, of several the newest; `nil` if it does not encrypt.
  package var ownFingerprint: String? { connector.ownFingerprint }

  /// A coordinator that runs jobs on these systems.
  public func coordinator(_ settings: EngagementSettings = EngagementSettings()) -> Coordinator {
    Coordinator(systems: systems, actorSystem: actorSystem, settings: settings, clock: clock)
  }
}

/// The settings with which a program joins a cluster.
public struct ClusterSettings: Hashable, Sendable {
  /// The name that nodes show for this program's tasks: 1 to 63 bytes of UTF-8. A longer name is cut.
  public var name: String
  /// How many scans the program runs itself at a time; with 0, only other systems scan.
  public var localSlots: Int
  /// Whether a node on the same machine, in the same network namespace, is used instead of the program's own slots,
  /// for as long as it is connected, takes tasks, and offers the program's scans. With both, the machine would run
  /// twice as many scans at a time as it has room for. Scans that leave the processor idle
  /// (`Scan.keepsProcessorBusy`) run on both.
  public var yieldsToNodesHere = false
  /// Whether the program lends its own system to others that engage while it runs. Slots that it leaves idle scan for
  /// them, and while all want slots, one half is the program's and the others share the other half. The program then yields to no node, and waits for
  /// nobody at its end: what others have running here comes back to them.
  public var servesOthers = false
  /// How long a peer may be silent before it counts as gone. A longer timeout bears worse networks; a
  /// shorter one notices a dead peer sooner.
  public var timeout: Duration

  /// Makes settings, by default with a timeout of 5 seconds. The program lends its slots to nobody, and uses them
  /// beside those of a node on the same machine.
  public init(name: String, localSlots: Int, timeout: Duration = .seconds(5)) {
    self.name = name
    self.localSlots = localSlots
    self.timeout = timeout
  }
}
