package import Distributed
package import Logging
import SkyNetCore
import Synchronization

/// The actor that runs scans on one machine.
///
/// It has as many slots as it runs scans at a time, and a queue before them that serves all clients
/// fairly. Whether an instance is this process's own or stands for a peer's, its caller cannot tell.
///
/// Every scan of this machine enters by `begin(_:whenDone:)`, whether a peer or this process asks
/// for it. See `ScanSystem+Tasks.swift`.
package distributed actor ScanSystem {
  package typealias ActorSystem = ClusterActorSystem

  /// What this process's own instance scans with.
  ///
  /// The actor system keeps it: an instance that stands for a peer's has none, and so Swift lets no
  /// `nonisolated` method look at what a distributed actor stores.
  final class Resources: Sendable {
    let queue: AdmissionQueue
    let orphans: OrphanedScans
    let threads: ScanThreads
    let clock: any ClusterClock
    let logger: Logger
    let briefScans = Mutex(LeakyBucket.briefScans)

    init(slots: Int, clock: any ClusterClock, logger: Logger) {
      queue = AdmissionQueue(slots: slots, clock: clock, logger: logger)
      orphans = OrphanedScans(slots: slots)
      threads = ScanThreads(count: slots)
      self.clock = clock
      self.logger = logger
    }
  }

  /// Makes this process's own system. A process has one at most, and one that serves peers makes it
  /// before it connects to any.
  ///
  /// - Parameter slots: how many scans run at a time.
  package init(
    slots: Int, actorSystem: ClusterActorSystem, clock: any ClusterClock = SteadyClock(),
    logger: Logger = Logger(label: "skynet.scan")
  ) {
    self.actorSystem = actorSystem
    actorSystem.scans(with: Resources(slots: slots, clock: clock, logger: logger))
  }

  /// `nil` if this instance stands for a peer's.
  nonisolated var resources: Resources? {
    id == actorSystem.incarnation ? actorSystem.resources : nil
  }

  /// How many tasks it has, running or waiting.
  package distributed var count: Int { resources?.queue.count ?? 0 }

  /// Scans one sector, when a slot is free for it.
  ///
  /// Cancelling returns at once, whether or not the scan heeds it; one that does not keeps its
  /// slot until it ends.
  ///
  /// - Throws: `CallFailure`; `CancellationError`; over the network also ``ConnectionLost``.
  package distributed func run(_ task: ScanTask) async throws -> ScanResult {
    let context =
      CallContext.current ?? CallContext(client: id, clientName: actorSystem.hello.name)
    let call = ScanCall(task, from: context, on: self)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(call) { continuation.resume(with: $0) }
      }
    } onCancel: {
      call.cancel()
    }
  }

  /// What it is doing, and how busy its machine is.
  ///
  /// - Throws: ``ConnectionLost``; `CancellationError`; `CallFailure` from a peer whose version does not
  ///   know this call; over the network also when the answer cannot be read.
  package distributed func status() throws -> SystemStatus {
    guard let status = servingStatus else { throw CallFailure.noScans }
    return SystemStatus(status, load: MachineLoad.current)
  }

  /// What it is doing, scan by scan, or `nil` if it is a peer's.
  package nonisolated var servingStatus: ServingStatus? { resources?.queue.status }
}
