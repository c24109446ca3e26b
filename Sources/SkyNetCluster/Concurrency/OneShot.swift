import Synchronization

/// A value that is set once, and that tasks can wait for. A task that asks after it was set gets it at once.
///
/// It has a lock, as a task may be cancelled on any thread.
final class OneShot<Value: Sendable>: Sendable {
  private typealias Waiter = (id: Int, continuation: CheckedContinuation<Value, any Error>)

  private struct State {
    var result: Result<Value, any Error>?
    /// There is rarely more than one waiter.
    var waiters: [Waiter] = []
  }

  private let state = Mutex(State())

  var isComplete: Bool { state.withLock { $0.result != nil } }

  /// Sets the value unless it is set already. Returns whether this call has set it.
  @discardableResult
  func complete(_ result: Result<Value, any Error>) -> Bool {
    let waiters = state.withLock { state -> [Waiter]? in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters ?? [] { waiter.continuation.resume(with: result) }
    return waiters != nil
  }

  /// Waits for the value.
  ///
  /// - Throws: the error that was set in place of a value; `CancellationError` if the waiting task is
  ///   cancelled, which does not affect the value or other waiting tasks.
  func value() async throws -> Value {
    let id = lastWaiter.add(1, ordering: .relaxed).newValue
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          // The cancellation handler may have run before the waiter was added.
          if state.result == nil, Task.isCancelled { return .failure(CancellationError()) }
          if state.result == nil { state.waiters.append((id, continuation)) }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}

/// Numbers the waiters of all one-shots of the process.
private let lastWaiter = Atomic<Int>(0)
