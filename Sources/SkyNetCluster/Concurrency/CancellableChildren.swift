import Synchronization

/// Children of a task group, so that each can be cancelled by itself: a group only cancels all of
/// them, and a task of its own for each would cost another switch of threads.
final class CancellableChildren<ID: Hashable & Sendable>: Sendable {
  /// `@unchecked Sendable`: cancelling is what `UnsafeCurrentTask` allows from other tasks, as long
  /// as its task lives. A handle is used only under the lock, and leaves the table, under the same
  /// lock, before its task ends.
  private struct Handle: @unchecked Sendable {
    let task: UnsafeCurrentTask
  }

  private enum State {
    case expected
    case cancelledEarly
    case running(Handle)
  }

  private let states = Mutex<[ID: State]>([:])

  /// A child is about to be added, and will call ``run(_:_:)``; it can be cancelled from now on.
  func expect(_ id: ID) {
    states.withLock { $0[id] = .expected }
  }

  /// Runs `body`; until it ends, ``cancel(_:)`` cancels the task that runs it.
  func run<Result: Sendable>(_ id: ID, _ body: () async throws -> Result) async rethrows -> Result {
    withUnsafeCurrentTask { task in
      guard let task else { return }
      let handle = Handle(task: task)
      states.withLock { states in
        if case .cancelledEarly = states[id] { handle.task.cancel() }
        states[id] = .running(handle)
      }
    }
    defer { states.withLock { _ = $0.removeValue(forKey: id) } }
    return try await body()
  }

  /// Cancels a child, unless it has ended.
  func cancel(_ id: ID) {
    states.withLock { states in
      switch states[id] {
      case .expected: states[id] = .cancelledEarly
      case .running(let handle): handle.task.cancel()
      case .cancelledEarly, nil: break
      }
    }
  }
}
