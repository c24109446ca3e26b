import SkyNetCore

/// The slots of the systems, and the requests that wait for slots.
extension Systems {
  /// The state of a request that was not granted at once.
  enum Waiter {
    /// The request is not granted, and its maker does not wait yet.
    case pending
    case waits(CheckedContinuation<[Commitment], any Error>)
    /// The request was granted before its maker began to wait.
    case granted([Commitment])
  }

  enum Answer: Sendable {
    /// The slots belong to the request's maker from now on.
    case granted([Commitment])
    /// ``slots(for:)`` waits for them.
    case waits(SlotRequest.ID)
  }

  /// - Parameter avoiding: systems whose slots are granted only if no other system has one.
  func request(
    upTo count: Int, for kind: ScanKind, of run: RunID? = nil, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal, caution: SlotRequest.Caution = .none
  ) -> Answer {
    lastRequest += 1
    // Only this request can be granted: those that wait did not fit the room that there is.
    let grants = roster.requested(
      SlotRequest(
        id: lastRequest, kind: kind, run: run, count: count, avoiding: avoiding,
        priority: priority, caution: caution))
    adjustRetry()
    if let grant = grants.first { return .granted(commitments(grant.slots)) }
    waiters[lastRequest] = .pending
    return .waits(lastRequest)
  }

  /// Waits for the slots of a request. There is at least one.
  ///
  /// - Throws: `CancellationError`, also if the request was withdrawn.
  func slots(for request: SlotRequest.ID) async throws -> [Commitment] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        switch waiters[request] {
        case .pending: waiters[request] = .waits(continuation)
        case .granted(let commitments):
          waiters[request] = nil
          continuation.resume(returning: commitments)
        case .waits, nil: continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      tell { $0.withdraw(request) }
    }
  }

  /// Commits as many slots as are free, at least one and at most `count`. Waits while none is free.
  ///
  /// - Throws: `CancellationError`.
  func commit(
    upTo count: Int, for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> [Commitment] {
    switch request(upTo: count, for: kind, avoiding: avoiding, priority: priority) {
    case .granted(let commitments): commitments
    case .waits(let request): try await slots(for: request)
    }
  }

  /// Withdraws a request. Its maker still gets slots that were granted, and has to free them.
  func withdraw(_ request: SlotRequest.ID) {
    switch waiters[request] {
    case .granted, nil: return
    case .pending: break
    case .waits(let continuation): continuation.resume(throwing: CancellationError())
    }
    waiters[request] = nil
    roster.withdrew(request)
  }

  /// Frees a slot. Has no effect if the slot's system is gone.
  ///
  /// - Parameter report: what the attempt on the slot says about its system.
  /// - Throws: `IllegalEvent` if the slot is not committed, which means that it was freed before.
  func release(_ slot: Slot, _ report: SlotReturn = .unused) throws(IllegalEvent) {
    let mayChangeBreakers = report == .failed || hasOpenBreakers
    grant(try roster.released(slot, report, at: clock.now))
    if mayChangeBreakers { breakersChanged() }
  }

  func grant(_ grants: [Roster.Grant]) {
    for grant in grants {
      let commitments = commitments(grant.slots)
      switch waiters[grant.request] {
      case .waits(let continuation):
        waiters[grant.request] = nil
        continuation.resume(returning: commitments)
      case .pending: waiters[grant.request] = .granted(commitments)
      case .granted, nil: break
      }
    }
    adjustRetry()
  }

  private func commitments(_ slots: [Slot]) -> [Commitment] {
    slots.compactMap { slot in
      members[slot.system].map { Commitment(slot: slot, system: $0.system) }
    }
  }
}
