import SkyNetCore

/// One call for a scan, as its system keeps it. It waits for a slot, runs as a task, and is answered once: with the
/// scan's outcome, or with `CancellationError` when it is cancelled. A scan that goes on after the answer has no caller.
final class ScanCall {
  typealias Outcome = Result<ScanResult, any Error>
  typealias Answer = (Outcome) -> Void

  private enum Caller {
    case waits(UInt64, Answer)
    /// None has come yet, or its connection broke and the scan goes on. The outcome is there once the scan has ended.
    case absent(Outcome?)
    /// The caller has its answer.
    case answered
  }

  /// Identifies the call among all calls of the system. A later call has a higher number.
  let number: UInt64
  let task: ScanTask
  /// That of the latest caller.
  private(set) var context: CallContext
  /// The scan, while the call has a slot.
  var scan: Task<Void, Never>?
  private(set) var isCancelled = false
  private var caller = Caller.absent(nil)

  init(_ number: UInt64, _ task: ScanTask, from context: CallContext) {
    self.number = number
    self.task = task
    self.context = context
  }

  /// A caller waits from now on for the scan's outcome. It gets it when the scan ends, or at once if the scan has ended
  /// without a caller.
  ///
  /// - Parameters:
  ///   - caller: identifies the caller.
  ///   - answer: called once. If the call is cancelled, it is called at once, even if the scan ignores that.
  func awaited(
    by caller: UInt64, from context: CallContext, _ answer: @escaping Answer
  ) {
    self.context = context
    switch self.caller {
    case .absent(nil): self.caller = .waits(caller, answer)
    case .absent(let outcome?):
      self.caller = .answered
      answer(outcome)
    case .waits, .answered: answer(.failure(CancellationError()))
    }
  }

  /// Whether this caller waits for the outcome.
  func isAwaited(by number: UInt64) -> Bool {
    if case .waits(number, _) = caller { true } else { false }
  }

  /// Gives the caller the outcome, since the scan has ended or the call gets no slot.
  func finish(_ outcome: Outcome) {
    switch caller {
    case .waits(_, let answer):
      caller = .answered
      answer(outcome)
    case .absent: caller = .absent(outcome)
    case .answered: break
    }
  }

  /// Answers the caller at once, and cancels the scan. Returns whether the call was not answered or cancelled before.
  func cancel() -> Bool {
    guard !isCancelled else { return false }
    isCancelled = true
    let former = caller
    caller = .answered
    // A scan that ignores its cancelling is not to keep what only its caller needed.
    defer { context = context.ofScan(task) }
    switch former {
    case .waits(_, let answer):
      scan?.cancel()
      answer(.failure(CancellationError()))
    case .absent(nil): scan?.cancel()
    case .absent, .answered: return false
    }
    return true
  }

  /// The caller's connection broke, but the caller may come back. The call has a slot. Returns whether the scan
  /// goes on without the caller. If the caller has its answer, this returns `false` and changes nothing.
  func loseCaller() -> Bool {
    guard case .waits(_, let answer) = caller else { return false }
    caller = .absent(nil)
    answer(.failure(CancellationError()))
    return true
  }

  /// The outcome of a scan that has ended without its caller; `nil` otherwise.
  var outcomeWithoutCaller: Outcome? {
    if case .absent(let outcome) = caller { outcome } else { nil }
  }
}
