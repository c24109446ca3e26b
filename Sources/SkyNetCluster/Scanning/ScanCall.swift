import SkyNetCore

/// One call for a scan, as its system keeps it. It waits for a slot, runs as a task, and is answered once: with the
/// scan's outcome, or with `CancellationError` when it is cancelled. A scan that goes on after the answer has no caller.
final class ScanCall {
  typealias Outcome = Result<ScanResult, any Error>
  typealias WhenDone = @Sendable (Outcome) -> Void

  private enum Caller {
    case waits(WhenDone)
    /// The caller's connection broke, and the scan goes on. The outcome is there once the scan has ended.
    case gone(Outcome?)
    /// The caller has its answer.
    case answered
  }

  /// Identifies the call among all calls of the system. A later call has a higher number.
  let number: UInt64
  let task: ScanTask
  let context: CallContext
  /// The message that asked for the scan, if the call came over the network.
  let message: Message?
  /// The scan, while the call has a slot.
  var scan: Task<Void, Never>?
  private(set) var isCancelled = false
  private var caller: Caller

  init(
    _ number: UInt64, _ task: ScanTask, from context: CallContext, message: Message? = nil,
    whenDone: @escaping WhenDone
  ) {
    self.number = number
    self.task = task
    self.context = context
    self.message = message
    caller = .waits(whenDone)
  }

  /// Gives the caller the outcome, since the scan has ended or the call gets no slot.
  func finish(_ outcome: Outcome) {
    switch caller {
    case .waits(let whenDone):
      caller = .answered
      whenDone(outcome)
    case .gone: caller = .gone(outcome)
    case .answered: break
    }
  }

  /// Answers the caller at once, and cancels the scan. Returns whether the call was not answered or cancelled before.
  func cancel() -> Bool {
    guard !isCancelled else { return false }
    isCancelled = true
    let former = caller
    caller = .answered
    switch former {
    case .waits(let whenDone):
      scan?.cancel()
      whenDone(.failure(CancellationError()))
    case .gone(nil): scan?.cancel()
    case .gone, .answered: return false
    }
    return true
  }

  // MARK: A caller whose connection broke

  /// The caller's connection broke, but the caller may come back. The call has a slot. Returns whether the scan
  /// goes on without the caller. If the caller has its answer, this returns `false` and changes nothing.
  func loseCaller() -> Bool {
    guard case .waits = caller else { return false }
    caller = .gone(nil)
    return true
  }

  /// The caller is back, and gets the outcome of the scan when it ends, or at once if it has ended meanwhile.
  func regainCaller(_ whenDone: @escaping WhenDone) {
    switch caller {
    case .gone(nil): caller = .waits(whenDone)
    case .gone(let outcome?):
      caller = .answered
      whenDone(outcome)
    case .waits, .answered: whenDone(.failure(CancellationError()))
    }
  }

  /// The outcome of a scan that has ended without its caller; `nil` otherwise.
  var outcomeWithoutCaller: Outcome? {
    if case .gone(let outcome) = caller { outcome } else { nil }
  }
}
