import SkyNetCore
import Synchronization

/// A scan that somebody wants: it waits for a slot, runs as a task, and ends once, for whoever wants
/// it, by its outcome or by being cancelled. What then still runs is nobody's.
final class ScanCall: Sendable {
  typealias WhenDone = @Sendable (Result<ScanResult, any Error>) -> Void

  private struct State {
    /// Until it was called.
    var whenDone: WhenDone?
    var task: Task<Void, Never>?
    var ticket: SlotGate.Ticket?
    /// What else cancelling does; told whether the scan runs.
    var whenCancelled: (@Sendable (_ isRunning: Bool) -> Void)?
    var isCancelled = false
  }

  /// What asked for it, if it came over the network.
  let message: Message?
  private let state = Mutex(State())

  init(for message: Message? = nil) {
    self.message = message
  }

  /// Somebody wants it. Returns whether it is to be done: not if it was cancelled before.
  func begin(_ whenDone: @escaping WhenDone) -> Bool {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.whenDone = whenDone }
      return state.isCancelled
    }
    if isCancelled { whenDone(.failure(CancellationError())) }
    return !isCancelled
  }

  /// What it waits for its slot with, or runs.
  var ticket: SlotGate.Ticket? { state.withLock { $0.ticket } }

  /// It waits for its slot, or runs already.
  func waits(
    with ticket: SlotGate.Ticket, _ whenCancelled: @escaping @Sendable (_ isRunning: Bool) -> Void
  ) {
    let isRunning = state.withLock { state -> Bool? in
      state.ticket = ticket
      if state.isCancelled { return state.task != nil }
      if state.whenDone != nil { state.whenCancelled = whenCancelled }
      return nil
    }
    if let isRunning { whenCancelled(isRunning) }
  }

  /// It has its slot, and runs as this task; which may have ended already.
  func started(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Its caller is gone, and another may come: `whenDone` is told the outcome instead. Returns
  /// whether the scan runs; if not, nothing has changed.
  func handOver(to whenDone: @escaping WhenDone) -> Bool {
    state.withLock { state in
      guard state.task != nil, state.whenDone != nil, !state.isCancelled else { return false }
      state.whenDone = whenDone
      return true
    }
  }

  func finish(_ outcome: Result<ScanResult, any Error>) {
    let whenDone = state.withLock { state in
      defer { (state.whenDone, state.whenCancelled) = (nil, nil) }
      return state.whenDone
    }
    whenDone?(outcome)
  }

  /// Ends it at once for whoever wants it.
  func cancel() {
    let ended = state.withLock { state in
      state.isCancelled = true
      defer { (state.whenDone, state.whenCancelled) = (nil, nil) }
      return (whenDone: state.whenDone, whenCancelled: state.whenCancelled, task: state.task)
    }
    // Not under the lock: it calls what the scan's author wants called then.
    ended.task?.cancel()
    ended.whenCancelled?(ended.task != nil)
    ended.whenDone?(.failure(CancellationError()))
  }
}
