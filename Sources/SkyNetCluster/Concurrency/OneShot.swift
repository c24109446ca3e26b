import Synchronization

/// A value that is not there yet. It comes once; whoever waits for it gets it, also later.
final class OneShot<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct State {
    var result: Result<Value, any Error>?
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  var isComplete: Bool { state.withLock { $0.result != nil } }

  /// Sets the value, unless it is set. Returns whether it was not.
  @discardableResult
  func complete(_ result: Result<Value, any Error>) -> Bool {
    let waiters = state.withLock { state -> [Waiter]? in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters ?? [] { waiter.resume(with: result) }
    return waiters != nil
  }

  /// Waits for the value.
  ///
  /// - Throws: what the value was completed with, or `CancellationError` if the waiting task is
  ///   cancelled, which leaves the value and the others who wait as they are.
  func value() async throws -> Value {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          // The cancellation handler may have run before there was anybody to wake.
          if state.result == nil, Task.isCancelled { return .failure(CancellationError()) }
          if state.result == nil { state.waiters[id] = continuation }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
  }
}
