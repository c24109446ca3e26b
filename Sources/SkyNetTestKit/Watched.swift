import Synchronization

/// A value that tests wait on: whoever changes it wakes those whose condition it then meets.
///
/// It takes the place of a sleep in a test. A scan or a mock notes what happened, and the test
/// waits for just that:
///
/// ```swift
/// let started = Watched<[Int]>([])
/// // in the scan
/// started.update { $0.append(sector) }
/// // in the test
/// try await started.wait { $0.count == 3 }
/// ```
public final class Watched<State: Sendable>: Sendable {
  /// Looks at the state, and returns how to resume the waiter if it is what that waits for.
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

    /// Lets through whoever can go on, the longest waiting first. One that takes something from
    /// the state may change what those before it wait for, so it starts over after each.
    mutating func settle() -> [@Sendable () -> Void] {
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

  public init(_ state: State) {
    guarded = Mutex(Guarded(state: state))
  }

  /// The state just now.
  public var value: State { guarded.withLock { $0.state } }

  /// Changes the state, and wakes whoever waited for what it is now.
  @discardableResult
  public func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let (result, resumptions) = guarded.withLock { guarded in
      let result = change(&guarded.state)
      return (result, guarded.settle())
    }
    for resume in resumptions { resume() }
    return result
  }

  /// Waits until the condition holds, and returns the state as it was then.
  ///
  /// - Throws: `CancellationError`.
  @discardableResult
  public func wait(
    until condition: @escaping @Sendable (State) -> Bool
  ) async throws -> State {
    try await take { condition($0) ? $0 : nil }
  }

  /// Waits until `attempt` returns something. It may change the state when it does, and only then;
  /// those who came first are asked first.
  ///
  /// - Parameter cancelled: undoes in the state what the waiter did there before it waited; called
  ///   only if it is cancelled.
  /// - Throws: `CancellationError`.
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
      // The cancellation handler may have run before there was anybody to wake.
      if Task.isCancelled { return [waiter.cancel(&guarded.state)] + guarded.settle() }
      guarded.waiters.append(waiter)
      return guarded.settle()
    }
    for resume in resumptions { resume() }
  }

  private func cancel(_ id: Int) {
    let resumptions = guarded.withLock { guarded -> [@Sendable () -> Void] in
      guard let index = guarded.waiters.firstIndex(where: { $0.id == id }) else { return [] }
      let waiter = guarded.waiters.remove(at: index)
      return [waiter.cancel(&guarded.state)] + guarded.settle()
    }
    for resume in resumptions { resume() }
  }
}
