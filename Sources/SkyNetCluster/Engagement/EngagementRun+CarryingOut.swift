import Distributed
import SkyNetCore

/// How an attempt ended, with its output if it succeeded.
struct FinishedAttempt: Sendable {
  let outcome: AttemptOutcome
  var output: AnyOutput?
  /// Why the system can run no scan of the run, or has no room for this one, if the scan has found that.
  var found: SystemFault?

  enum SystemFault: Sendable {
    case unsuited(String)
    case full(String)

    init?(_ error: any Error) {
      guard let failure = error as? CallFailure else { return nil }
      switch failure.fault {
      case .unsuited: self = .unsuited(failure.message)
      case .full: self = .full(failure.message)
      default: return nil
      }
    }
  }
}

/// The attempt's system has to get large settings before the attempt, which has not begun.
private struct SettingsMissing: Error {
  let settings: CodedSettings
  let link: PeerLink
}

/// What the child of an attempt does: it makes the sector, has a system scan it, frees the slot, and returns how the
/// attempt ended.
extension EngagementRun {
  /// After so many refusals of a sector's data, the system gets the data that every system can use.
  private static let mostRefusals = 2

  /// Carries an attempt out until it succeeds or fails. Its slot is free afterwards.
  ///
  /// - Parameter source: the job as it was when the task was handed out.
  /// - Throws: the errors of the journal, in which case no scan has begun; `IllegalEvent` if the slot was
  ///   free already.
  @inline(__always)
  func carryOut(
    _ attempt: Attempt, on system: ScanSystem, _ source: any AnyJob
  ) async throws -> FinishedAttempt {
    let flying = attempts[attempt.id]
    withUnsafeCurrentTask { child in
      // The run may have cancelled the attempt before its child began.
      if let flying { flying.child = child } else { child?.cancel() }
    }
    defer { flying?.landed() }
    // The journal must know of a local scan before it begins: the scan may kill this process.
    if isLocal(attempt) { try await commit(attempt) }
    var recipient: SectorRecipient? = SectorRecipient(
      incarnation: attempt.slot.system, name: attempt.slot.name, isLocal: isLocal(attempt))
    var (refusals, withSettings) = (0, false)
    do {
      while true {
        do {
          return try await scan(
            attempt, on: system, source, as: recipient, withSettings: withSettings)
        } catch let missing as SettingsMissing {
          // Without the room for a call, which others may need to end.
          withSettings = try await !missing.link.keep(missing.settings)
        } catch let failure as CallFailure {
          guard let refusal = failure.refusal, let refuser = recipient else { throw failure }
          // The slot is still this attempt's, so the same system gets the sector with other data.
          try await asking {
            await source.referring?.refused(refusal, by: refuser, for: attempt.task)
          }
          refusals += 1
          if refusals == Self.mostRefusals { recipient = nil }
        }
      }
    } catch let illegal as IllegalEvent {
      throw illegal
    } catch {
      let found = FinishedAttempt.SystemFault(error)
      var outcome = try systems.here { systems in
        // Before its slot is free, which another task of the run would get.
        if case .unsuited = found { systems.foundUnsuited(attempt.slot.system, for: id) }
        return try systems.release(attempt.slot, failedWith: error)
      }.naming(attempt.task, of: kind)
      if outcome.mayBeRetried, let failure = outcome.failure(on: attempt.slot.name),
        !Task.isCancelled,
        try await !asking({ source.isWorthRetrying(failure, of: attempt.task) })
      {
        outcome = outcome.asUnmendable
      }
      return FinishedAttempt(outcome: outcome, found: found)
    }
  }

  /// Has the system scan the sector, checks the output, and frees the slot.
  ///
  /// - Parameter withSettings: whether large settings come with the task, as the peer has no place to keep them.
  /// - Throws: `IllegalEvent` if the slot was free already; other errors end the attempt, whose slot is not free then.
  @inline(__always)
  private func scan(
    _ attempt: Attempt, on system: ScanSystem, _ source: any AnyJob,
    as recipient: SectorRecipient?, withSettings: Bool
  ) async throws -> FinishedAttempt {
    // The job makes the sector only when there is room to send it.
    let room = try await system.actorSystem.reserveRoom(at: system.id)
    let context = CallContext(
      client: actorSystem.incarnation, clientName: clientName, room: room,
      outputLimit: source.outputLimit(for: attempt.task),
      scope: LogScope(
        run: id, sector: attempt.task.sector, attempt: attempt.scanAttempt.number)
    ) { [id = attempt.id] ran in
      self.tell { $0.attempts[id]?.started(at: $0.clock.now.advanced(by: .zero - ran)) }
    }
    do {
      return try await CallContext.$current.withValue(context) {
        let begin = clock.now
        let isTimed = settings.scanTimeout != nil
        var task = try await asking {
          try await source.task(for: attempt, on: recipient, isTimed: isTimed)
        }
        if let large = task.largeSettings, let room, !withSettings {
          guard room.link.here({ $0.use(large) }) else {
            throw SettingsMissing(settings: large, link: room.link)
          }
          task.refersToSettings = true
        }
        if let spans = actorSystem.spans { task.trace = spans.carrier }
        if let limit = task.timeLimit { attempts[attempt.id]?.limit = limit }
        defer { if task.refersToSettings { room?.link.here { $0.doneWith(task.largeSettings) } } }
        let result = try await system.run(task)
        let timing = systems.here { $0.timing(of: result, on: system, since: begin) }
        // The check comes before the slot is released as one that succeeded: an impossible answer opens the
        // circuit breaker as a failure does.
        try await asking { try source.check(result.output, for: attempt.task) }
        if let recipient, !recipient.isLocal {
          source.referring?.delivered(attempt.task, to: recipient, in: timing.handover)
        }
        try systems.here { try $0.release(attempt.slot, .succeeded(timing)) }
        return FinishedAttempt(outcome: .succeeded(seconds: timing.scan), output: result.output)
      }
    } catch {
      // There may have been no call that frees it.
      room?.release()
      throw error
    }
  }

  /// Waits until the journal is written. If it cannot be written, the attempt does not begin: the error is
  /// not the task's fault, and ends the engagement.
  private func commit(_ attempt: Attempt) async throws {
    do {
      try await journal?.commit()
    } catch is CancellationError {
      // The next step, which makes the sector or the call, notices the cancellation.
    } catch {
      try systems.here { try $0.release(attempt.slot) }
      throw error
    }
  }
}
