import Logging
import SkyNetCore
import Synchronization

/// Runs scans on this machine: each when there is a slot for it, and on a thread of its own.
struct LocalScans: Sendable {
  /// How long a scan may go on after it was cancelled before that is said.
  private static let cancellationGrace = Duration.seconds(1)

  let gate: SlotGate
  private let threads: ScanThreads
  private let registry: ScanRegistry
  private let clock: any ClusterClock
  private let logger: Logger

  init(slots: Int, registry: ScanRegistry, clock: any ClusterClock, logger: Logger) {
    gate = SlotGate(slots: slots, clock: clock)
    threads = ScanThreads(count: slots)
    self.registry = registry
    self.clock = clock
    self.logger = logger
  }

  /// Scans a sector when it is its turn. Cancelling returns at once, whether or not the scan heeds
  /// it.
  func run(_ task: ScanTask, for context: CallContext) async throws -> ScanResult {
    let scan = RunningScan()
    let ticket = gate.enter(task.id, isHedge: task.isHedge, context: context) { ticket, admission in
      do throws(CallFailure) {
        let waited = try admission.get()
        context.onStart()
        // Whoever frees the slot gets here from within another call's task.
        CallContext.$current.withValue(context) {
          scan.begin { self.scan(task, for: context, with: ticket, waited: waited, as: scan) }
        }
      } catch {
        scan.result.complete(.failure(error))
      }
    }
    return try await scan.result.value {
      if gate.withdraw(ticket) { return }
      scan.cancel()
      watchCancelled(ticket, of: task)
    }
  }

  private func scan(
    _ task: ScanTask, for context: CallContext, with ticket: SlotGate.Ticket, waited: Duration,
    as scan: RunningScan
  ) -> Task<Void, Never> {
    Task(executorPreference: threads) {
      let begin = clock.now
      var outcome: Result<ScanResult, any Error>
      do {
        let output = try await task.run(in: registry)
        let seconds = begin.duration(to: clock.now).inSeconds
        logger.debug(
          "scanned",
          metadata: .skynet([.sector: "\(task.id.sector)", .client: context.clientName]))
        outcome = .success(
          ScanResult(
            kind: task.kind, output: output, seconds: seconds, queuedSeconds: waited.inSeconds))
      } catch let error as CancellationError {
        outcome = .failure(error)
      } catch {
        var failure = CallFailure(error)
        failure.seconds = begin.duration(to: clock.now).inSeconds
        outcome = .failure(failure)
      }
      let isShared = gate.leave(ticket)
      if isShared, case .success(var result) = outcome {
        result.isShared = true
        outcome = .success(result)
      }
      scan.result.complete(outcome)
    }
  }

  private func watchCancelled(_ ticket: SlotGate.Ticket, of task: ScanTask) {
    // Outlives the call on purpose, for a second: the call has returned by then.
    Task {
      try? await clock.sleep(until: clock.now + Self.cancellationGrace)
      guard gate.isHeld(ticket) else { return }
      logger.warning(
        "a scan ignores that it was cancelled, and keeps its slot",
        metadata: .skynet([.sector: "\(task.id.sector)", .scan: "\(task.kind)"]))
    }
  }
}

/// A scan that was asked for: its result, and its task once it has a slot.
private final class RunningScan: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  let result = OneShot<ScanResult>()
  private let state = Mutex(State())

  func begin(_ make: () -> Task<Void, Never>) {
    state.withLock { state in
      let task = make()
      state.task = task
      if state.isCancelled { task.cancel() }
    }
  }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.task?.cancel()
    }
  }
}
