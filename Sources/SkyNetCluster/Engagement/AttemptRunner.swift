import Distributed
import SkyNetCore

/// How an attempt ended, with its output if it succeeded.
struct AttemptEnd: Sendable {
  var outcome: AttemptOutcome
  var output: AnyOutput?
  /// What it tells of its system.
  fileprivate(set) var report = SlotReturn.unused
  /// When its answer had been looked at.
  fileprivate var checked: Instant?
}

/// Runs attempts: makes a sector, has a system scan it, frees the slot, and says how it ended.
///
/// A class, as each attempt's task holds it.
final class AttemptRunner: Sendable {
  /// A handover of more seconds may have another cause than the network: this process stood still.
  private static let suspiciousHandover = 0.05

  let weight: JobWeight
  /// Whether the engagement limits how long a scan may run.
  private let isTimed: Bool
  private let source: any TaskSource
  private let systems: Systems
  /// Who engages, which is the local system's id too.
  private let client: Incarnation
  private let name: String
  private let clock: any ClusterClock
  private let journal: (any Journal)?

  /// - Parameter source: of the job as it was when the tasks that are handed out were added.
  init(
    _ source: any TaskSource, weight: JobWeight = JobWeight(), isTimed: Bool, systems: Systems,
    client: Incarnation, name: String,
    clock: any ClusterClock,
    journal: (any Journal)?
  ) {
    self.source = source
    self.weight = weight
    self.isTimed = isTimed
    self.systems = systems
    self.client = client
    self.name = name
    self.clock = clock
    self.journal = journal
  }

  /// The same for tasks of another source.
  func with(_ source: any TaskSource) -> AttemptRunner {
    AttemptRunner(
      source, weight: weight, isTimed: isTimed, systems: systems, client: client, name: name,
      clock: clock,
      journal: journal)
  }

  func isLocal(_ attempt: Attempt) -> Bool { attempt.slot.system == client }

  /// Runs an attempt to its end, whatever that is; its slot is free afterwards.
  ///
  /// - Parameter isLight: whether the job was light when the attempt was given its place.
  /// - Throws: what the journal throws, and then nothing has begun.
  func run(
    _ attempt: Attempt, on system: ScanSystem, start: AttemptStart, isLight: Bool
  ) async throws -> AttemptEnd {
    // A scan that kills this process is not to be forgotten with it.
    if isLocal(attempt) { try await commit(attempt, start) }
    var end = AttemptEnd(outcome: .cancelled)
    var place: CallPlace?
    do {
      // Sectors are made when they can be sent.
      place = try await isLocal(attempt) ? nil : systems.place(at: attempt.slot.system)
      let begin = clock.now
      var context = CallContext(client: client, clientName: name, onStartAfter: start.started)
      context.place = place
      context.outputLimit = source.outputLimit(for: attempt.task)
      var task = try await task(for: attempt, isLight: isLight, since: begin)
      if let limit = task.timeLimit { start.limit(to: limit) }
      // What was sent is not kept until it is answered.
      if place?.place.mayBeLarge == true { context.onEncoded = task.becomeForgettable() }
      end = try await call(system, task, in: context, since: begin)
    } catch {
      end.outcome = Self.outcome(of: error)
      switch end.outcome {
      case .failed, .refused: end.report = .failed
      case .succeeded, .handedBack, .lost, .cancelled: break
      }
    }
    place?.place.leave()
    start.ended()
    // Its notice may come later than what it hands back, or not at all to one who came late.
    if end.outcome == .handedBack { systems.handedBack(attempt.slot) }
    systems.release(attempt.slot, end.report, at: end.checked ?? clock.now)
    return end
  }

  private func task(
    for attempt: Attempt, isLight: Bool, since begin: Instant
  ) async throws -> ScanTask {
    defer { weight.took(begin.duration(to: clock.now)) }
    guard isLight, !weight.isLight else {
      return try await source.task(for: attempt, isTimed: isTimed)
    }
    // Another one showed meanwhile that sectors take their time now. Many may have begun where
    // answers arrive, and would hold them up one after another.
    return try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try await source.task(for: attempt, isTimed: isTimed)
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
      systems.release(attempt.slot, .unused)
      throw error
    }
  }

  private func call(
    _ system: ScanSystem, _ task: ScanTask, in context: CallContext, since begin: Instant
  ) async throws -> AttemptEnd {
    let result = try await CallContext.$current.withValue(context) {
      try await system.run(task)
    }
    let now = clock.now
    let turnaround = begin.duration(to: now).inSeconds
    // Looked for only where it would matter.
    let isDisturbed =
      turnaround - result.seconds - result.queuedSeconds > Self.suspiciousHandover
      && system.actorSystem.stoodStill(beside: system.id, since: begin, at: now)
    let timing = AttemptTiming(
      scan: result.seconds, queued: result.queuedSeconds, turnaround: turnaround,
      isShared: result.isShared, isDisturbed: isDisturbed)
    // Before its system is said to have succeeded: one that lies is to rest like one that fails.
    try source.check(result.output, for: task.id)
    let checked = clock.now
    weight.took(now.duration(to: checked))
    return AttemptEnd(
      outcome: .succeeded(seconds: result.seconds), output: result.output,
      report: .succeeded(timing), checked: checked)
  }

  private static func outcome(of error: any Error) -> AttemptOutcome {
    switch error {
    case is CancellationError: return .cancelled
    case let impossible as ImpossibleOutput:
      return .refused(reason: "its answer cannot be: \(impossible.reason)")
    case let unreadable as UnreadableAnswer:
      return .refused(reason: "its answer cannot be read: \(unreadable.reason)")
    case let lost as ConnectionLost:
      return .lost(reason: lost.reason, hadStarted: lost.mayBeToBlame)
    default:
      let failure = CallFailure(error)
      return switch failure.fault {
      case .draining: .handedBack
      // This side has not cancelled it, or nobody would hear of it.
      case .task, .system, .cancelled: .failed(failure)
      }
    }
  }
}
