import SkyNetCore
import Synchronization

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
  private let calls = CancellableCalls()

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
  /// - Parameter start: completed when the scan begins, or fails if it ends before.
  func run(
    _ attempt: Attempt, on system: ScanSystem, start: OneShot<Void>
  ) async -> AttemptEnd<J.Work.Output> {
    let begin = clock.now
    let started = StartFlag()
    var end = AttemptEnd<J.Work.Output>(outcome: .cancelled, output: nil)
    var timing: AttemptTiming?
    do {
      let result = try await call(attempt, on: system) {
        started.set()
        start.complete(.success(()))
      }
      guard let output = result.output as? J.Work.Output else {
        throw CallFailure(.system, "it answered with a \(result.kind) result")
      }
      end = AttemptEnd(outcome: .succeeded(seconds: result.seconds), output: output)
      timing = AttemptTiming(
        scan: result.seconds, queued: result.queuedSeconds,
        turnaround: begin.duration(to: clock.now).inSeconds)
    } catch {
      end.outcome = Self.outcome(of: error, hadStarted: started.isSet)
    }
    start.complete(.failure(CancellationError()))
    await systems.release(attempt.slot, measured: timing)
    return end
  }

  /// Stops an attempt that runs.
  func cancel(_ attempt: Attempt) {
    calls.cancel(attempt.id)
  }

  private func call(
    _ attempt: Attempt, on system: ScanSystem, onStart: @escaping @Sendable () -> Void
  ) async throws -> ScanResult {
    let context = CallContext(client: client, clientName: name, onStart: onStart)
    // A task of its own, as a group's child cannot be cancelled alone.
    let call = Task { [source] in
      let sector = try await source.sector(for: attempt.task)
      let task = ScanTask(
        attempt.task, for: J.Work.self, settings: source.settings, sector: sector)
      return try await CallContext.$current.withValue(context) { try await system.run(task) }
    }
    calls.add(attempt.id, call)
    defer { calls.remove(attempt.id) }
    return try await withTaskCancellationHandler {
      try await call.value
    } onCancel: {
      call.cancel()
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

/// The calls that run, so that one can be cancelled by itself.
private final class CancellableCalls: Sendable {
  private let calls = Mutex<[Attempt.ID: Task<ScanResult, any Error>]>([:])

  func add(_ id: Attempt.ID, _ call: Task<ScanResult, any Error>) {
    calls.withLock { $0[id] = call }
  }

  func remove(_ id: Attempt.ID) {
    calls.withLock { _ = $0.removeValue(forKey: id) }
  }

  func cancel(_ id: Attempt.ID) {
    calls.withLock { $0[id] }?.cancel()
  }
}

private final class StartFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() {
    flag.store(true, ordering: .releasing)
  }
}
