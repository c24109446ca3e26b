import Distributed
import SkyNetCore

/// How an attempt ended, with its output if it succeeded.
struct AttemptEnd<Output: Sendable>: Sendable {
  var outcome: AttemptOutcome
  var output: Output?
}

/// Runs attempts: makes a sector, has a system scan it, frees the slot, and says how it ended.
struct AttemptRunner<J: Job>: Sendable {
  /// The job as it was when the tasks that are now handed out were added.
  var source: J
  private let systems: Systems
  private let client: Incarnation
  private let name: String
  private let clock: any ClusterClock
  private let running = RunningAttempts()

  init(
    _ source: J, systems: Systems, client: Incarnation, name: String, clock: any ClusterClock
  ) {
    self.source = source
    self.systems = systems
    self.client = client
    self.name = name
    self.clock = clock
  }

  /// Runs an attempt to its end, whatever that is; its slot is free afterwards.
  ///
  /// - Parameter start: told when the scan begins.
  func run(
    _ attempt: Attempt, on system: ScanSystem, start: AttemptStart
  ) async -> AttemptEnd<J.Work.Output> {
    let begin = clock.now
    let sector: Result<J.Work.Sector, any Error>
    do {
      sector = .success(try await source.sector(for: attempt.task))
    } catch {
      sector = .failure(error)
    }
    // Where the answer arrives. Not before: making the sector may wait for a disk.
    return await withTaskExecutorPreference(system.actorSystem.executor(for: system.id)) {
      var end = AttemptEnd<J.Work.Output>(outcome: .cancelled, output: nil)
      var timing: AttemptTiming?
      do {
        let result = try await call(system, attempt, try sector.get(), onStart: start.began)
        guard let output = result.output as? J.Work.Output else {
          throw CallFailure(.system, "it answered with a \(result.kind) result")
        }
        end = AttemptEnd(outcome: .succeeded(seconds: result.seconds), output: output)
        timing = AttemptTiming(
          scan: result.seconds, queued: result.queuedSeconds,
          turnaround: begin.duration(to: clock.now).inSeconds)
      } catch {
        end.outcome = Self.outcome(of: error, hadStarted: start.hasBegun)
      }
      start.ended()
      // Its notice may come later than what it hands back, or not at all to one who came late.
      if end.outcome == .handedBack { await systems.draining(attempt.slot.system) }
      await systems.release(attempt.slot, measured: timing)
      return end
    }
  }

  /// Stops an attempt that runs.
  func cancel(_ attempt: Attempt) {
    running.cancel(attempt.id)
  }

  private func call(
    _ system: ScanSystem, _ attempt: Attempt, _ sector: J.Work.Sector,
    onStart: @escaping @Sendable () -> Void
  ) async throws -> ScanResult {
    let task = ScanTask(attempt.task, for: J.Work.self, settings: source.settings, sector: sector)
    let context = CallContext(client: client, clientName: name, onStart: onStart)
    return try await running.whileCancellable(attempt.id) {
      try await CallContext.$current.withValue(context) { try await system.run(task) }
    }
  }

  private static func outcome(of error: any Error, hadStarted: Bool) -> AttemptOutcome {
    switch error {
    case is CancellationError: return .cancelled
    case let lost as ConnectionLost: return .lost(reason: lost.reason, hadStarted: hadStarted)
    default:
      let failure = CallFailure(error)
      return switch failure.fault {
      case .draining: .handedBack
      case .cancelled: .cancelled
      case .task, .system: .failed(failure)
      }
    }
  }
}
