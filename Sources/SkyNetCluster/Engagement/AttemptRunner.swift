import Distributed
import SkyNetCore

/// How an attempt ended, with its output if it succeeded.
struct FinishedAttempt: Sendable {
  let outcome: AttemptOutcome
  var output: AnyOutput?
}

/// Carries attempts out: makes a sector, has a system scan it, frees the slot, and says how the attempt
/// ended.
///
/// A class, as each attempt's task holds it.
final class AttemptRunner: Sendable {
  /// A handover of more seconds may have another cause than the network: this process stood still.
  private static let suspiciousHandover = 0.05

  let jobCode: JobCodeBucket
  /// Whether the engagement limits how long a scan may run.
  private let isTimed: Bool
  private let source: any TaskSource
  private let systems: Systems
  private let slots: SlotPool
  /// The incarnation of this process, which is the local system's id too.
  private let client: Incarnation
  private let name: String
  private let clock: any ClusterClock
  private let journal: (any JournalStore)?

  /// - Parameter source: of the job as it was when the tasks that are handed out were added.
  init(
    _ source: any TaskSource, jobCode: JobCodeBucket = JobCodeBucket(), isTimed: Bool,
    systems: Systems,
    client: Incarnation, name: String,
    clock: any ClusterClock,
    journal: (any JournalStore)?
  ) {
    self.source = source
    self.jobCode = jobCode
    self.isTimed = isTimed
    self.systems = systems
    slots = systems.slots
    self.client = client
    self.name = name
    self.clock = clock
    self.journal = journal
  }

  /// The same for tasks of another source.
  func with(_ source: any TaskSource) -> AttemptRunner {
    AttemptRunner(
      source, jobCode: jobCode, isTimed: isTimed, systems: systems, client: client, name: name,
      clock: clock,
      journal: journal)
  }

  func isLocal(_ attempt: Attempt) -> Bool { attempt.slot.system == client }

  /// Carries an attempt out to its end, whatever that is; its slot is free afterwards.
  ///
  /// - Parameter isLight: whether the job was light when the attempt was given its place.
  /// - Throws: what the journal throws, and then nothing has begun; `IllegalEvent` if the slot was free
  ///   before.
  func carryOut(
    _ attempt: Attempt, on system: ScanSystem, start: AttemptStart, isLight: Bool
  ) async throws -> FinishedAttempt {
    // A scan that kills this process is not to be forgotten with it.
    if isLocal(attempt) { try await commit(attempt, start) }
    let scan: FinishedScan
    do {
      scan =
        try await isLocal(attempt)
        ? scanHere(attempt, on: system, start, isLight)
        : scanAtPeer(attempt, on: system, start, isLight)
    } catch {
      start.ended()
      return try ended(attempt, by: error)
    }
    start.ended()
    try slots.release(attempt.slot, .succeeded(scan.timing), at: scan.checked)
    return FinishedAttempt(
      outcome: .succeeded(seconds: scan.result.seconds), output: scan.result.output)
  }

  /// A scan that was done and checked.
  private struct FinishedScan {
    let result: ScanResult
    let timing: AttemptTiming
    let checked: Instant
  }

  /// Has this process's own system scan the sector.
  private func scanHere(
    _ attempt: Attempt, on system: ScanSystem, _ start: AttemptStart, _ isLight: Bool
  ) async throws -> FinishedScan {
    let begin = clock.now
    let task = try await task(for: attempt, start, isLight, since: begin)
    let context = CallContext(client: client, clientName: name, onStartAfter: start.started)
    let result = try await CallContext.$current.withValue(context) { try await system.run(task) }
    return try check(result, of: attempt, on: system, since: begin)
  }

  /// Has a peer scan the sector; see ``ClusterActorSystem/request(for:)``.
  private func scanAtPeer(
    _ attempt: Attempt, on system: ScanSystem, _ start: AttemptStart, _ isLight: Bool
  ) async throws -> FinishedScan {
    // Sectors are made when they can be sent.
    guard let reserved = try await system.actorSystem.link(to: system.id)?.reserve() else {
      throw ConnectionLost.notConnected
    }
    defer { reserved.reservation.release() }
    let begin = clock.now
    let request = try await request(for: attempt, on: system, start, isLight, since: begin)
    let reply = try await reserved.link.call(
      request, in: reserved.reservation, onStart: start.started)
    let result = try system.actorSystem.result(
      from: reply, limit: source.outputLimit(for: attempt.task))
    return try check(result, of: attempt, on: system, since: begin)
  }

  /// Makes the task and the message that asks for it. Only that is left of it when the answer is
  /// awaited: a sector may be large.
  private func request(
    for attempt: Attempt, on system: ScanSystem, _ start: AttemptStart, _ isLight: Bool,
    since begin: Instant
  ) async throws -> CallRequest {
    let task = try await task(for: attempt, start, isLight, since: begin)
    return try system.actorSystem.request(for: task)
  }

  private func task(
    for attempt: Attempt, _ start: AttemptStart, _ isLight: Bool, since begin: Instant
  ) async throws -> ScanTask {
    let task = try await makeTask(for: attempt, isLight, since: begin)
    if let limit = task.timeLimit { start.limit(to: limit) }
    return task
  }

  private func makeTask(
    for attempt: Attempt, _ isLight: Bool, since begin: Instant
  ) async throws -> ScanTask {
    defer { jobCode.add(begin.duration(to: clock.now)) }
    guard isLight, !jobCode.isLight else {
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
      try slots.release(attempt.slot)
      throw error
    }
  }

  /// - Throws: ``ImpossibleOutput``.
  private func check(
    _ result: ScanResult, of attempt: Attempt, on system: ScanSystem, since begin: Instant
  ) throws -> FinishedScan {
    let now = clock.now
    let turnaround = begin.duration(to: now).inSeconds
    // Looked for only where it would matter.
    let isDisturbed =
      turnaround - result.seconds - result.queuedSeconds > Self.suspiciousHandover
      && system.actorSystem.link(to: system.id)?.stoodStill(since: begin, at: now) ?? true
    let timing = AttemptTiming(
      scan: result.seconds, queued: result.queuedSeconds, turnaround: turnaround,
      isShared: result.isShared, isDisturbed: isDisturbed)
    // Before its slot is released as one that succeeded: a lie opens the circuit breaker like a failure.
    try source.check(result.output, for: attempt.task)
    let checked = clock.now
    jobCode.add(now.duration(to: checked))
    return FinishedScan(result: result, timing: timing, checked: checked)
  }

  /// An attempt ended without an output: frees its slot.
  private func ended(
    _ attempt: Attempt, by error: any Error
  ) throws(IllegalEvent) -> FinishedAttempt {
    let outcome = Self.outcome(of: error)
    // A scan that was cancelled tells nothing of its system.
    let isFailure = !(error is CancellationError)
    let report: SlotReturn
    switch outcome {
    case .failed where isFailure, .refused: report = .failed
    case .succeeded, .failed, .lost, .withdrawn: report = .unused
    }
    // A peer's own notice that it drains may come after what it hands back; a coordinator that connected
    // when the peer was draining already hears none.
    if outcome == .handedBack { systems.handedBack(attempt.slot) }
    try slots.release(attempt.slot, report)
    return FinishedAttempt(outcome: outcome)
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
      // The engagement has not cancelled it: it would not wait for the answer.
      case .task, .system, .cancelled: AttemptOutcome(failure)
      }
    }
  }
}
