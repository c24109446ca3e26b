public import Distributed
public import Logging
import SkyNetCore

/// The actor that runs scans on one machine.
///
/// It has as many slots as it runs scans at a time, and a queue before them that serves everyone
/// fairly. Whether an instance is this process's own or stands for a peer's, its caller cannot
/// tell.
public distributed actor ScanSystem {
  public typealias ActorSystem = ClusterActorSystem

  private let scans: LocalScans

  public init(
    slots: Int, actorSystem: ClusterActorSystem, clock: any ClusterClock = SteadyClock(),
    logger: Logger = Logger(label: "skynet.scan")
  ) {
    self.actorSystem = actorSystem
    scans = LocalScans(
      slots: slots, registry: actorSystem.registry, clock: clock, logger: logger
    ) { [weak actorSystem] in actorSystem?.servesAgain() }
    actorSystem.scanning(by: scans)
  }

  /// How many tasks it has, running or waiting.
  public distributed var count: Int { scans.gate.count }

  /// Scans one sector, when a slot is free for it.
  ///
  /// Cancelling returns at once, whether or not the scan heeds it; one that does not keeps its
  /// slot until it ends.
  ///
  /// - Throws: `CallFailure`; `CancellationError`; over the network also ``ConnectionLost``.
  public distributed func run(_ task: ScanTask) async throws -> ScanResult {
    let context =
      CallContext.current ?? CallContext(client: id, clientName: actorSystem.hello.name)
    return try await scans.run(task, for: context)
  }

  /// What it is doing, or `nil` if it is a peer's.
  public nonisolated func status() async -> ServingStatus? {
    await whenLocal { $0.scans.gate.status }
  }

  /// Takes nothing new from now on, and hands back what waits.
  nonisolated func drain() async {
    await whenLocal { $0.scans.drain() }
  }
}
