import Synchronization

/// One child of a task group that can be cancelled alone. A group can only cancel all of its children, and an
/// unstructured task for each child would cost another switch of threads.
final class CancellableChild: Sendable {
  /// `@unchecked Sendable`: other tasks may call `cancel` on an `UnsafeCurrentTask` as long as its task lives.
  /// The handle is used only under the lock, and is removed under the same lock before its task ends.
  private struct Handle: @unchecked Sendable {
    let task: UnsafeCurrentTask
  }

  private struct State {
    var handle: Handle?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Performs `body` in the child. The child is cancelled if ``cancel()`` was called before, or is called while
  /// `body` runs.
  func perform<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
    withUnsafeCurrentTask { task in
      guard let task else { return }
      let handle = Handle(task: task)
      state.withLock { state in
        state.handle = handle
        if state.isCancelled { handle.task.cancel() }
      }
    }
    defer { state.withLock { $0.handle = nil } }
    return try await body()
  }

  /// Cancels the child, unless it has ended.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.handle?.task.cancel()
    }
  }
}
