import SkyNetCore
import Synchronization

/// One call for a scan. It waits for a slot, runs as a task, and is answered once: with the scan's outcome, or
/// with `CancellationError` when it is cancelled. A scan that goes on after the answer has no caller.
final class ScanCall: Sendable {
  typealias Outcome = Result<ScanResult, any Error>
  typealias WhenDone = @Sendable (Outcome) -> Void

  private enum Caller {
    /// The call has not begun.
    case unknown
    case waits(WhenDone)
    /// The caller's connection broke, and the scan goes on. The outcome is there once the scan has ended.
    case gone(Outcome?)
    /// The caller has its answer.
    case answered
  }

  private struct State {
    var caller = Caller.unknown
    var scan: Task<Void, Never>?
    var isCancelled = false
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// Identifies the call among all calls of the process. A later call has a higher number.
  let number = lastNumber.add(1, ordering: .relaxed).newValue
  let task: ScanTask
  let context: CallContext
  /// The message that asked for the scan, if the call came over the network.
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

  /// Begins to wait for the answer. Returns `false` if the call was cancelled before; the caller then has its
  /// answer already.
  func setCaller(_ whenDone: @escaping WhenDone) -> Bool {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.caller = .waits(whenDone) }
      return state.isCancelled
    }
    if isCancelled { whenDone(.failure(CancellationError())) }
    return !isCancelled
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The call has a slot, and its scan runs as this task, which may have ended already. Returns whether the
  /// call was cancelled before.
  func started(_ scan: Task<Void, Never>) -> Bool {
    state.withLock { state in
      state.scan = scan
      return state.isCancelled
    }
  }

  /// Gives the caller the outcome, since the scan has ended or the call gets no slot.
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

  /// Answers the caller at once, and cancels the scan.
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
    // Not under the lock, as the scan's own cancellation handlers run here.
    scan?.cancel()
    if whenDone != nil || scan != nil { system.withdraw(self, isRunning: scan != nil) }
    whenDone?(.failure(CancellationError()))
  }

  // MARK: A caller whose connection broke

  /// The caller's connection broke, but the caller may come back. The call has a slot. Returns whether the scan
  /// goes on without the caller. If the caller has its answer, this returns `false` and changes nothing.
  func loseCaller() -> Bool {
    state.withLock { state in
      guard case .waits = state.caller else { return false }
      state.caller = .gone(nil)
      return true
    }
  }

  /// The caller is back, and gets the outcome of the scan when it ends, or at once if it has ended meanwhile.
  func regainCaller(_ whenDone: @escaping WhenDone) {
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

  /// The outcome of a scan that has ended without its caller; `nil` otherwise.
  var outcomeWithoutCaller: Outcome? {
    state.withLock { state in
      if case .gone(let outcome) = state.caller { outcome } else { nil }
    }
  }
}
