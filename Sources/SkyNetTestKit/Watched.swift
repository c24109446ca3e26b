import Synchronization

/// A value that tests wait on: every change wakes the waiters whose condition the new value meets.
///
/// It replaces sleeps in tests. A scan or a mock records what happened, and the test waits for that:
///
/// ```swift
/// let started = Watched<[Int]>([])
/// // in the scan
/// started.update { $0.append(sector) }
/// // in the test
/// try await started.wait { $0.count == 3 }
/// ```
public final class Watched<State: Sendable>: Sendable {
  /// Looks at the state. If the waiter's condition holds, takes the result, and returns a closure that resumes
  /// the waiter.
  private typealias Attempt = @Sendable (inout State) -> (@Sendable () -> Void)?

  private typealias Waiting<Result> = CheckedContinuation<Result, any Error>

  private struct Waiter {
    let id: Int
    let attempt: Attempt
    let cancel: @Sendable (inout State) -> @Sendable () -> Void
  }

  private struct Guarded {
    var state: State
    var waiters: [Waiter] = []
    var nextWaiter = 0

    /// Takes out the waiters whose condition holds, the longest waiting first, and returns how to resume them.
    /// A waiter that takes something from the state may change the conditions of earlier ones, so the search
    /// starts over after each.
    mutating func takeReadyWaiters() -> [@Sendable () -> Void] {
      var resumptions: [@Sendable () -> Void] = []
      var index = waiters.startIndex
      while index < waiters.endIndex {
        if let resume = waiters[index].attempt(&state) {
          waiters.remove(at: index)
          resumptions.append(resume)
          index = waiters.startIndex
        } else {
          index += 1
        }
      }
      return resumptions
    }
  }

  private let guarded: Mutex<Guarded>

  /// - Parameter state: the initial value.
  public init(_ state: State) {
    guarded = Mutex(Guarded(state: state))
  }

  /// The current value.
  public var value: State { guarded.withLock { $0.state } }

  /// Changes the value, wakes the waiters whose condition now holds, and returns the result of `change`.
  @discardableResult
  public func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let (result, resumptions) = guarded.withLock { guarded in
      let result = change(&guarded.state)
      return (result, guarded.takeReadyWaiters())
    }
    for resume in resumptions { resume() }
    return result
  }

  /// Waits until the condition holds, and returns the value as it was then.
  ///
  /// - Throws: `CancellationError`, at once, if the caller is cancelled.
  @discardableResult
  public func wait(
    until condition: @escaping @Sendable (State) -> Bool
  ) async throws -> State {
    try await take { condition($0) ? $0 : nil }
  }

  /// Waits until `attempt` returns a result. Waiters that came first are asked first.
  ///
  /// - Parameters:
  ///   - cancelled: called only if the caller is cancelled, to undo in the value what the caller did there
  ///     before it waited.
  ///   - attempt: looks at the value, and returns `nil` to wait on. It may change the value only when it
  ///     returns a result.
  /// - Throws: `CancellationError`, at once, if the caller is cancelled.
  public func take<Result: Sendable>(
    cancelled: @escaping @Sendable (inout State) -> Void = { _ in },
    _ attempt: @escaping @Sendable (inout State) -> Result?
  ) async throws -> Result {
    let id = guarded.withLock { guarded in
      guarded.nextWaiter += 1
      return guarded.nextWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiting: Waiting<Result>) in
        let look: Attempt = { state in
          guard let result = attempt(&state) else { return nil }
          return { waiting.resume(returning: result) }
        }
        let cancel: @Sendable (inout State) -> @Sendable () -> Void = { state in
          cancelled(&state)
          return { waiting.resume(throwing: CancellationError()) }
        }
        add(Waiter(id: id, attempt: look, cancel: cancel))
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func add(_ waiter: Waiter) {
    let resumptions = guarded.withLock { guarded in
      // The cancellation handler may have run before the waiter was added.
      if Task.isCancelled { return [waiter.cancel(&guarded.state)] + guarded.takeReadyWaiters() }
      guarded.waiters.append(waiter)
      return guarded.takeReadyWaiters()
    }
    for resume in resumptions { resume() }
  }

  private func cancel(_ id: Int) {
    let resumptions = guarded.withLock { guarded -> [@Sendable () -> Void] in
      guard let index = guarded.waiters.firstIndex(where: { $0.id == id }) else { return [] }
      let waiter = guarded.waiters.remove(at: index)
      return [waiter.cancel(&guarded.state)] + guarded.takeReadyWaiters()
    }
    for resume in resumptions { resume() }
  }
}
