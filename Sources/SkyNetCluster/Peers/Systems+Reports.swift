import SkyNetCore

/// What an attempt's end says about its system.
extension Systems {
  /// The handover of an attempt is its turnaround without its scan and its wait for a slot. If it takes more
  /// seconds than this, the cause may not be the network: this process may have stood still.
  private static let suspiciousHandover = 0.05

  /// The times of an attempt whose answer has just come.
  func timing(of result: ScanResult, on system: ScanSystem, since begin: Instant) -> AttemptTiming {
    let now = clock.now
    let turnaround = begin.duration(to: now).inSeconds
    // Whether this process stood still is looked up only after a long handover, where it matters.
    var isDisturbed = turnaround - result.seconds - result.queuedSeconds > Self.suspiciousHandover
    if isDisturbed {
      let link = system.actorSystem.peers.here { $0.link(to: system.id) }
      isDisturbed = link?.here { $0.life.stoodStill(since: begin, at: now) } ?? true
    }
    return AttemptTiming(
      scan: result.seconds, queued: result.queuedSeconds, turnaround: turnaround,
      isShared: result.isShared, isDisturbed: isDisturbed)
  }

  /// Frees the slot of an attempt whose answer has just come.
  ///
  /// - Throws: `IllegalEvent` if the slot was free already.
  func release(
    _ slot: Slot, after result: ScanResult, on system: ScanSystem, since begin: Instant
  ) throws(IllegalEvent) {
    try release(slot, .succeeded(timing(of: result, on: system, since: begin)))
  }

  /// Frees the slot of an attempt that ended without an output. Returns how the attempt ended.
  ///
  /// - Throws: `IllegalEvent` if the slot was free already.
  @discardableResult
  func release(_ slot: Slot, failedWith error: any Error) throws(IllegalEvent) -> AttemptOutcome {
    let outcome = AttemptOutcome(failedWith: error)
    let report: SlotReturn =
      switch outcome {
      case .withdrawn where (error as? CallFailure)?.fault == .full: .full
      // Neither says anything about the health of the system.
      case .failed where error is SectorNotMade || error is CancellationError: .unused
      case .failed, .refused: .failed
      case .succeeded, .lost, .withdrawn: .unused
      }
    // A call that is handed back shows that the peer drains. The peer's own notice may come later than the
    // call, and a coordinator that connected when the peer was draining already gets no notice.
    if outcome == .handedBack { handedBack(slot) }
    try release(slot, report)
    return outcome
  }
}

extension AttemptOutcome {
  fileprivate init(failedWith error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case let error as SectorNotMade:
      self = .failed(reason: error.reason, code: error.code)
    case is ImpossibleOutput, is UnreadableAnswer: self = .refused(reason: "\(error)")
    case let lost as ConnectionLost:
      self = .lost(
        reason: lost.reason, cancelledWithin: lost.cancelledWithin.inSeconds,
        hadStarted: lost.mayBeToBlame)
    default:
      // A cancellation by the engagement does not come here, as the engagement then awaits no answer.
      self.init(CallFailure(error))
    }
  }
}
