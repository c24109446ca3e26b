public import Logging
public import SkyNetCore

/// All systems that can be reached, for as long as a closure runs: the way in for a program that
/// has scans to spread.
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
/// `withCluster` of SkyNetKit is the same with the command's own defaults.
public struct Cluster: Sendable {
  /// The systems that are there, and their slots.
  package let systems: Systems
  let actorSystem: ClusterActorSystem
  let clock: any ClusterClock
  let engagements: EngagementQueue

  /// Finds systems, keeps connected to them while `body` runs, and then says goodbye.
  ///
  /// - Parameters:
  ///   - scans: the scans whose results are wanted; the local system, if any, runs them too.
  ///   - discoveries: where to learn of systems.
  ///   - transport: how they are reached, and which of them are members.
  /// - Throws: what `body` throws.
  public static func with<Result: Sendable>(
    _ settings: ClusterSettings, scans: [any Scan], discoveries: [any Discovery],
    transport: Transport, clock: any ClusterClock = SteadyClock(),
    logger: Logger = Logger(label: "skynet.cluster"),
    _ body: @Sendable (Cluster) async throws -> Result
  ) async throws -> Result {
    let actorSystem = ClusterActorSystem(
      name: settings.name, slots: 0, timeout: settings.timeout, registry: ScanRegistry(scans))
    let local =
      settings.localSlots > 0
      ? ScanSystem(
        slots: settings.localSlots, actorSystem: actorSystem, clock: clock, logger: logger)
      : nil
    let systems = Systems(
      actorSystem: actorSystem, local: local, localSlots: settings.localSlots, clock: clock)
    let connector = Connector(
      transport: transport.peers, actorSystem: actorSystem, systems: systems, clock: clock,
      logger: logger)
    let engagements = EngagementQueue()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await connector.run(discoveries) }
      group.addTask { await systems.slots.retryTripped() }
      group.addTask { await engagements.serve() }
      defer {
        for link in actorSystem.links { link.leave(saying: "done") }
        group.cancelAll()
      }
      return try await body(
        Cluster(
          systems: systems, actorSystem: actorSystem, clock: clock, engagements: engagements))
    }
  }

  /// The peers that are connected, in the order in which they connected.
  public var connectedSystems: [RemoteSystem] {
    get async { await systems.connected }
  }

  /// Something that runs jobs on these systems.
  public func coordinator(_ settings: EngagementSettings = EngagementSettings()) -> Coordinator {
    Coordinator(systems: systems, actorSystem: actorSystem, settings: settings, clock: clock)
  }
}

/// What a program joins a cluster with.
public struct ClusterSettings: Hashable, Sendable {
  /// What nodes show as the one they work for: 1 to 63 bytes of UTF-8. A longer one is cut.
  public var name: String
  /// How many scans the program runs itself at a time; 0 to leave all to others.
  public var localSlots: Int
  /// The silence after which a peer is gone. Longer bears worse networks; shorter notices a dead
  /// peer sooner.
  public var timeout: Duration

  public init(name: String, localSlots: Int, timeout: Duration = .seconds(5)) {
    self.name = name
    self.localSlots = localSlots
    self.timeout = timeout
  }
}
