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

  /// How long a scan may go on after it was cancelled before that is said.
  private static let cancellationGrace = Duration.seconds(1)

  private let gate: SlotGate
  private let threads: ScanThreads
  private let clock: any ClusterClock
  private let logger: Logger

  public init(
    slots: Int, actorSystem: ClusterActorSystem, clock: any ClusterClock = SteadyClock(),
    logger: Logger = Logger(label: "skynet.scan")
  ) {
    self.actorSystem = actorSystem
    gate = SlotGate(slots: slots, clock: clock)
    threads = ScanThreads(count: slots)
    self.clock = clock
    self.logger = logger
  }

  /// How many tasks it has, running or waiting.
  public distributed var count: Int { gate.count }

  /// Scans one sector, when a slot is free for it.
  ///
  /// Cancelling returns at once, whether or not the scan heeds it; one that does not keeps its
  /// slot until it ends.
  ///
  /// - Throws: `CallFailure`; `CancellationError`; over the network also ``ConnectionLost``.
  public distributed func run(_ task: ScanTask) async throws -> ScanResult {
    let context =
      CallContext.current ?? CallContext(client: id, clientName: actorSystem.hello.name)
    let (ticket, waited) = try await gate.enter(task.id, context: context)
    context.onStart()

    let result = OneShot<ScanResult>()
    let registry = actorSystem.registry
    let scanning = Task(executorPreference: threads) { [gate, clock] in
      let begin = clock.now
      let outcome: Result<ScanResult, any Error>
      do {
        let output = try await task.run(in: registry)
        let seconds = begin.duration(to: clock.now).inSeconds
        outcome = .success(
          ScanResult(
            kind: task.kind, output: output, seconds: seconds, queuedSeconds: waited.inSeconds))
      } catch {
        var failure = CallFailure(error)
        failure.seconds = begin.duration(to: clock.now).inSeconds
        outcome = .failure(failure)
      }
      gate.leave(ticket)
      result.complete(outcome)
    }
    return try await result.value {
      scanning.cancel()
      watchCancelled(ticket, of: task)
    }
  }

  /// What it is doing, or `nil` if it is a peer's.
  public nonisolated func status() async -> ServingStatus? {
    await whenLocal { $0.gate.status }
  }

  /// Takes nothing new from now on, and hands back what waits.
  nonisolated func drain() async {
    await whenLocal { $0.gate.drain() }
  }

  private nonisolated func watchCancelled(_ ticket: SlotGate.Ticket, of task: ScanTask) {
    // Outlives the call on purpose, for a second: the call has returned by then.
    Task {
      await self.whenLocal { system in
        try? await system.clock.sleep(until: system.clock.now + Self.cancellationGrace)
        guard system.gate.isHeld(ticket) else { return }
        system.logger.warning(
          "a scan ignores that it was cancelled, and keeps its slot",
          metadata: .skynet([.sector: "\(task.id.sector)", .scan: "\(task.kind)"]))
      }
    }
  }
}
