import SkyNetCore
import Synchronization

/// One call for a scan: it waits for a slot, runs as a task, and is answered once, by the
/// scan's outcome or because it was cancelled. A scan that goes on after that has no caller.
final class ScanCall: Sendable {
  typealias Outcome = Result<ScanResult, any Error>
  typealias WhenDone = @Sendable (Outcome) -> Void

  private enum Caller {
    /// It has not begun.
    case unknown
    case waits(WhenDone)
    /// The caller's connection broke, and the scan goes on. Its outcome, once it has ended.
    case gone(Outcome?)
    /// It has its answer.
    case answered
  }

  private struct State {
    var caller = Caller.unknown
    var scan: Task<Void, Never>?
    var isCancelled = false
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// Tells it from all other calls. A later call has a higher number.
  let number = lastNumber.add(1, ordering: .relaxed).newValue
  let task: ScanTask
  let context: CallContext
  /// What asked for it, if it came over the network.
  let message: Message?
  private let system: ScanSystem
  private let state = Mutex(State())

  init(
    _ task: ScanTask, from context: CallContext, message: Message? = nil, on system: ScanSystem
  ) {
    self.task = task
    self.context = context
    self.message = message
    self.system = system
  }

  /// The call is to be done, and its caller waits for the answer. Returns `false` if the call was
  /// cancelled before; the caller has its answer then.
  func isWanted(by whenDone: @escaping WhenDone) -> Bool {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.caller = .waits(whenDone) }
      return state.isCancelled
    }
    if isCancelled { whenDone(.failure(CancellationError())) }
    return !isCancelled
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The call has its slot, and its scan runs as this task, which may have ended already. Returns
  /// whether the call was cancelled before.
  func started(_ scan: Task<Void, Never>) -> Bool {
    state.withLock { state in
      state.scan = scan
      return state.isCancelled
    }
  }

  /// The scan ended, or the call gets no slot.
  func finish(_ outcome: Outcome) {
    let whenDone = state.withLock { state -> WhenDone? in
      switch state.caller {
      case .waits(let whenDone):
        state.caller = .answered
        return whenDone
      case .gone: state.caller = .gone(outcome)
      case .unknown, .answered: break
      }
      return nil
    }
    whenDone?(outcome)
  }

  /// Answers the caller at once, and tells the scan to end.
  func cancel() {
    let (whenDone, scan) = state.withLock { state -> (WhenDone?, Task<Void, Never>?) in
      guard !state.isCancelled else { return (nil, nil) }
      state.isCancelled = true
      defer { if case .unknown = state.caller {} else { state.caller = .answered } }
      switch state.caller {
      case .waits(let whenDone): return (whenDone, state.scan)
      case .gone(nil): return (nil, state.scan)
      case .gone, .unknown, .answered: return (nil, nil)
      }
    }
    // Not under the lock: it calls what the scan's author wants called then.
    scan?.cancel()
    if whenDone != nil || scan != nil { system.withdraw(self, isRunning: scan != nil) }
    whenDone?(.failure(CancellationError()))
  }

  // MARK: A caller whose connection broke

  /// The caller is gone, and may come back. Returns whether the scan goes on without it: only if it
  /// runs; otherwise nothing has changed.
  func loseCaller() -> Bool {
    state.withLock { state in
      guard case .waits = state.caller, state.scan != nil else { return false }
      state.caller = .gone(nil)
      return true
    }
  }

  /// The caller is back: it gets the outcome of the scan that runs, or has ended meanwhile.
  func regain(_ whenDone: @escaping WhenDone) {
    let outcome = state.withLock { state -> Outcome? in
      switch state.caller {
      case .gone(nil):
        state.caller = .waits(whenDone)
        return nil
      case .gone(let outcome?):
        state.caller = .answered
        return outcome
      case .unknown, .waits, .answered:
        return .failure(CancellationError())
      }
    }
    if let outcome { whenDone(outcome) }
  }

  /// The outcome of a scan that ended without its caller.
  var outcomeWithoutCaller: Outcome? {
    state.withLock { state in
      if case .gone(let outcome) = state.caller { outcome } else { nil }
    }
  }
}
