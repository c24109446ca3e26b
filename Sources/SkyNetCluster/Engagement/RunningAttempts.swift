import SkyNetCore
import Synchronization

/// The attempts that run, so that each can be cancelled by itself: a group only cancels all of its
/// children, and a task of its own for each attempt would cost another switch of threads.
final class RunningAttempts: Sendable {
  /// `@unchecked Sendable`: cancelling is what `UnsafeCurrentTask` allows from other tasks, as long
  /// as its task lives. A handle is used only under the lock, and leaves the table, under the same
  /// lock, before its task ends.
  private struct Handle: @unchecked Sendable {
    let task: UnsafeCurrentTask
  }

  private let handles = Mutex<[Attempt.ID: Handle]>([:])

  /// Runs `body`; until it ends, ``cancel(_:)`` cancels the task that runs it.
  func whileCancellable<Result: Sendable>(
    _ id: Attempt.ID, _ body: () async throws -> Result
  ) async rethrows -> Result {
    withUnsafeCurrentTask { task in
      guard let task else { return }
      let handle = Handle(task: task)
      handles.withLock { $0[id] = handle }
    }
    defer { handles.withLock { _ = $0.removeValue(forKey: id) } }
    return try await body()
  }

  func cancel(_ id: Attempt.ID) {
    handles.withLock { $0[id]?.task.cancel() }
  }
}
