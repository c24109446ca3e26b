import Distributed
import SkyNetCore

/// How an attempt ended, with its output if it succeeded.
struct AttemptEnd<Output: Sendable>: Sendable {
  var outcome: AttemptOutcome
  var output: Output?
  /// What it tells of its system.
  fileprivate(set) var report = SlotReturn.unused
}

/// Runs attempts: makes a sector, has a system scan it, frees the slot, and says how it ended.
struct AttemptRunner<J: Job>: Sendable {
  /// The job as it was when the tasks that are now handed out were added.
  var source: J
  private let systems: Systems
  /// Who engages, which is the local system's id too.
  private let client: Incarnation
  private let name: String
  private let clock: any ClusterClock
  private let journal: (any Journal)?

  init(
    _ source: J, systems: Systems, client: Incarnation, name: String, clock: any ClusterClock,
    journal: (any Journal)?
  ) {
    self.source = source
    self.systems = systems
    self.client = client
    self.name = name
    self.clock = clock
    self.journal = journal
  }

  func isLocal(_ attempt: Attempt) -> Bool { attempt.slot.system == client }

  /// Runs an attempt to its end, whatever that is; its slot is free afterwards.
  ///
  /// - Throws: what the journal throws, and then nothing has begun.
  func run(
    _ attempt: Attempt, on system: ScanSystem, start: AttemptStart
  ) async throws -> AttemptEnd<J.Work.Output> {
    let begin = clock.now
    let sector = try await sector(for: attempt, start)
    // Where the answer arrives. Not before: making the sector may wait for a disk.
    return await withTaskExecutorPreference(system.actorSystem.executor(for: system.id)) {
      let end = await call(system, attempt, sector, since: begin, start)
      start.ended()
      // Its notice may come later than what it hands back, or not at all to one who came late.
      if end.outcome == .handedBack { await systems.draining(attempt.slot.system) }
      await systems.release(attempt.slot, end.report)
      return end
    }
  }

  private func sector(
    for attempt: Attempt, _ start: AttemptStart
  ) async throws -> Result<J.Work.Sector, any Error> {
    // A scan that kills this process is not to be forgotten with it.
    if isLocal(attempt) { try await commit(attempt, start) }
    do {
      return .success(try await source.sector(for: attempt.task))
    } catch {
      return .failure(error)
    }
  }

  /// Without a journal that takes it the attempt is not begun. It is no fault of its task's, and
  /// ends the engagement.
  private func commit(_ attempt: Attempt, _ start: AttemptStart) async throws {
    do {
      try await journal?.commit()
    } catch is CancellationError {
      // Making the sector, or the call, will notice.
    } catch {
      start.ended()
      await systems.release(attempt.slot, .unused)
      throw error
    }
  }

  private func call(
    _ system: ScanSystem, _ attempt: Attempt, _ sector: Result<J.Work.Sector, any Error>,
    since begin: Instant, _ start: AttemptStart
  ) async -> AttemptEnd<J.Work.Output> {
    do {
      let task = ScanTask(
        attempt.task, for: J.Work.self, settings: source.settings, sector: try sector.get(),
        isHedge: attempt.isHedge)
      let context = CallContext(client: client, clientName: name, onStart: start.started)
      let result = try await CallContext.$current.withValue(context) {
        try await system.run(task)
      }
      guard let output = result.output as? J.Work.Output else {
        throw CallFailure(.system, "it answered with a \(result.kind) result")
      }
      let timing = AttemptTiming(
        scan: result.seconds, queued: result.queuedSeconds,
        turnaround: begin.duration(to: clock.now).inSeconds, isShared: result.isShared)
      return AttemptEnd(
        outcome: .succeeded(seconds: result.seconds), output: output, report: .succeeded(timing))
    } catch {
      let outcome = Self.outcome(of: error)
      if case .failed = outcome { return AttemptEnd(outcome: outcome, report: .failed) }
      return AttemptEnd(outcome: outcome)
    }
  }

  private static func outcome(of error: any Error) -> AttemptOutcome {
    switch error {
    case is CancellationError: return .cancelled
    case let lost as ConnectionLost:
      return .lost(reason: lost.reason, hadStarted: lost.mayBeToBlame)
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
