import Synchronization

/// A value that is set once. Tasks can wait for it, before and after.
final class OneShot<Value: Sendable>: Sendable {
  private typealias Waiter = (id: Int, continuation: CheckedContinuation<Value, any Error>)

  private struct State {
    var result: Result<Value, any Error>?
    /// Rarely more than one.
    var waiters: [Waiter] = []
  }

  private let state = Mutex(State())

  var isComplete: Bool { state.withLock { $0.result != nil } }

  /// Sets the value unless it is set already. Returns whether it was set now.
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
  /// - Parameter onCancel: called if the waiting task is cancelled meanwhile.
  /// - Throws: what the value was completed with, or `CancellationError` if the waiting task is
  ///   cancelled, which leaves the value and other waiting tasks as they are.
  func value(onCancel: @Sendable () -> Void = {}) async throws -> Value {
    let id = WaiterID.next()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          // The cancellation handler may have run before there was a task to wake.
          if state.result == nil, Task.isCancelled { return .failure(CancellationError()) }
          if state.result == nil { state.waiters.append((id, continuation)) }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      // First, as what `onCancel` does may complete the value.
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      onCancel()
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}

/// Tells waiters apart, of all values there are.
private enum WaiterID {
  private static let last = Atomic<Int>(0)

  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
