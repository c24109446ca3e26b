import Distributed
import SkyNetCore

/// How an attempt ended, with its output if it succeeded.
struct FinishedAttempt: Sendable {
  let outcome: AttemptOutcome
  var output: AnyOutput?
}

/// Carries attempts out: makes the sector, has a system scan it, frees the slot, and returns how the attempt
/// ended.
///
/// It is a class because the child task of each attempt holds a reference to it.
final class AttemptRunner: Sendable {
  /// The handover of an attempt is its turnaround without its scan and its wait for a slot. If it takes more
  /// seconds than this, the cause may not be the network: this process may have stood still.
  private static let suspiciousHandover = 0.05
  /// After so many refusals of a sector's data, the system gets the data that every system can use.
  private static let mostRefusals = 2

  let jobCode: JobCodeBucket
  /// Whether the engagement has a scan timeout, which replaces the time limit of the kind of scan.
  private let isTimed: Bool
  private let source: any TaskSource
  private let systems: Systems
  private let slots: SlotPool
  /// The incarnation of this process, which is also the id of the local system.
  private let client: Incarnation
  /// The name that nodes show for this process.
  private let name: String
  private let clock: any ClusterClock
  private let journal: (any JournalStore)?
  /// `nil` if the process has no tracer.
  let spans: Spans?

  /// - Parameter source: makes the tasks from the job as it was when it added them.
  init(
    _ source: any TaskSource, jobCode: JobCodeBucket = JobCodeBucket(), isTimed: Bool,
    systems: Systems,
    client: Incarnation, name: String,
    clock: any ClusterClock,
    journal: (any JournalStore)?, spans: Spans? = nil
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
    self.spans = spans
  }

  /// A runner with the same settings and another source of tasks.
  func replacingSource(with source: any TaskSource) -> AttemptRunner {
    AttemptRunner(
      source, jobCode: jobCode, isTimed: isTimed, systems: systems, client: client, name: name,
      clock: clock,
      journal: journal, spans: spans)
  }

  func isLocal(_ attempt: Attempt) -> Bool { attempt.slot.system == client }

  /// Carries an attempt out until it succeeds or fails. Its slot is free afterwards.
  ///
  /// - Parameter isLight: whether the job was light when the attempt's child was added, and so whether the
  ///   child may run on the executor where answers arrive.
  /// - Throws: the errors of the journal, in which case no scan has begun; `IllegalEvent` if the slot was
  ///   free already.
  func carryOut(
    _ attempt: Attempt, on system: ScanSystem, start: AttemptStart, isLight: Bool
  ) async throws -> FinishedAttempt {
    // The journal must know of a local scan before it begins: the scan may kill this process.
    if isLocal(attempt) { try await commit(attempt, start) }
    let scan: FinishedScan
    do {
      scan =
        try await isLocal(attempt)
        ? scanLocally(attempt, on: system, start, isLight)
        : scanOnPeer(attempt, on: system, start, isLight)
    } catch {
      start.ended()
      return try finish(attempt, failedWith: error)
    }
    start.ended()
    try slots.release(attempt.slot, .succeeded(scan.timing), at: scan.checked)
    return FinishedAttempt(
      outcome: .succeeded(seconds: scan.timing.scan), output: scan.output)
  }

  /// A scan whose output the job has checked.
  private struct FinishedScan {
    let output: AnyOutput
    let timing: AttemptTiming
    /// When the check ended.
    let checked: Instant
  }

  /// Has this process's own system scan the sector.
  private func scanLocally(
    _ attempt: Attempt, on system: ScanSystem, _ start: AttemptStart, _ isLight: Bool
  ) async throws -> FinishedScan {
    let begin = clock.now
    let recipient = SectorRecipient(
      incarnation: client, name: attempt.slot.name, isLocal: true)
    let task = try await task(for: attempt, on: recipient, start, isLight, since: begin)
    let context = CallContext(client: client, clientName: name, onStartAfter: start.started)
    let result = try await CallContext.$current.withValue(context) { try await system.run(task) }
    return try check(result, of: attempt, on: system, since: begin)
  }

  /// Has a peer scan the sector; see ``ClusterActorSystem/request(for:)``.
  private func scanOnPeer(
    _ attempt: Attempt, on system: ScanSystem, _ start: AttemptStart, _ isLight: Bool
  ) async throws -> FinishedScan {
    let recipient = SectorRecipient(
      incarnation: attempt.slot.system, name: attempt.slot.name, isLocal: false)
    for _ in 0..<Self.mostRefusals {
      do {
        let scan = try await scanOnPeer(attempt, on: system, as: recipient, start, isLight)
        source.delivered(attempt.task, to: recipient, in: scan.timing.handover)
        return scan
      } catch let failure as CallFailure {
        guard let refusal = failure.refusal else { throw failure }
        // The slot is still this attempt's, so the same system gets the sector with other data.
        await source.refused(refusal, by: recipient, for: attempt.task)
      }
    }
    return try await scanOnPeer(attempt, on: system, as: nil, start, isLight)
  }

  private func scanOnPeer(
    _ attempt: Attempt, on system: ScanSystem, as recipient: SectorRecipient?,
    _ start: AttemptStart, _ isLight: Bool
  ) async throws -> FinishedScan {
    // The job makes the sector only when there is room to send it.
    guard let reserved = try await system.actorSystem.link(to: system.id)?.reserve() else {
      throw ConnectionLost.notConnected
    }
    defer { reserved.reservation.release() }
    let begin = clock.now
    let request = try await request(
      for: attempt, on: system, as: recipient, start, isLight, since: begin)
    let reply = try await reserved.link.call(
      request, in: reserved.reservation, onStart: start.started)
    let result = try system.actorSystem.result(
      from: reply, limit: source.outputLimit(for: attempt.task))
    return try check(result, of: attempt, on: system, since: begin)
  }

  /// Makes the task and the message that asks for its scan. The task is gone when this returns, and only the
  /// message is left while the attempt awaits the answer: a sector may be large.
  private func request(
    for attempt: Attempt, on system: ScanSystem, as recipient: SectorRecipient?,
    _ start: AttemptStart, _ isLight: Bool, since begin: Instant
  ) async throws -> CallRequest {
    let task = try await task(for: attempt, on: recipient, start, isLight, since: begin)
    return try system.actorSystem.request(for: task)
  }

  private func task(
    for attempt: Attempt, on recipient: SectorRecipient?, _ start: AttemptStart, _ isLight: Bool,
    since begin: Instant
  ) async throws -> ScanTask {
    var task = try await makeTask(for: attempt, on: recipient, isLight, since: begin)
    if let spans { task.trace = spans.carrier }
    if let limit = task.timeLimit { start.setLimit(limit) }
    return task
  }

  private func makeTask(
    for attempt: Attempt, on recipient: SectorRecipient?, _ isLight: Bool, since begin: Instant
  ) async throws -> ScanTask {
    defer { jobCode.add(begin.duration(to: clock.now)) }
    guard isLight, !jobCode.isLight else {
      return try await source.task(for: attempt, on: recipient, isTimed: isTimed)
    }
    // Since this child was added, another call has shown that the job's code takes long. Many children may
    // have begun on the executor where answers arrive, and would hold the answers up one after another.
    return try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try await source.task(for: attempt, on: recipient, isTimed: isTimed)
    }
  }

  /// Waits until the journal is written. If it cannot be written, the attempt does not begin: the error is
  /// not the task's fault, and ends the engagement.
  private func commit(_ attempt: Attempt, _ start: AttemptStart) async throws {
    do {
      try await journal?.commit()
    } catch is CancellationError {
      // The next step, which makes the sector or the call, notices the cancellation.
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
    // Whether this process stood still is looked up only after a long handover, where it matters.
    let isDisturbed =
      turnaround - result.seconds - result.queuedSeconds > Self.suspiciousHandover
      && system.actorSystem.link(to: system.id)?.stoodStill(since: begin, at: now) ?? true
    let timing = AttemptTiming(
      scan: result.seconds, queued: result.queuedSeconds, turnaround: turnaround,
      isShared: result.isShared, isDisturbed: isDisturbed)
    // The check comes before the slot is released as one that succeeded: an impossible answer opens the
    // circuit breaker as a failure does.
    try source.check(result.output, for: attempt.task)
    let checked = clock.now
    jobCode.add(now.duration(to: checked))
    return FinishedScan(output: result.output, timing: timing, checked: checked)
  }

  /// Frees the slot of an attempt that ended without an output.
  private func finish(
    _ attempt: Attempt, failedWith error: any Error
  ) throws(IllegalEvent) -> FinishedAttempt {
    let outcome = Self.outcome(of: error)
    // A cancelled scan says nothing about the health of its system.
    let isFailure = !(error is CancellationError)
    let report: SlotReturn
    switch outcome {
    case .failed where error is SectorNotMade: report = .unused
    case .failed where isFailure, .refused: report = .failed
    case .succeeded, .failed, .lost, .withdrawn: report = .unused
    }
    // A call that is handed back shows that the peer drains. The peer's own notice may come later than the
    // call, and a coordinator that connected when the peer was draining already gets no notice.
    if outcome == .handedBack { systems.handedBack(attempt.slot) }
    try slots.release(attempt.slot, report)
    return FinishedAttempt(outcome: outcome)
  }

  private static func outcome(of error: any Error) -> AttemptOutcome {
    switch error {
    case is CancellationError: return .cancelled
    case let error as SectorNotMade: return .failed(reason: error.reason)
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
      // A cancellation by the engagement does not come here, as the engagement then awaits no answer.
      case .task, .system, .cancelled, .data: AttemptOutcome(failure)
      }
    }
  }
}
