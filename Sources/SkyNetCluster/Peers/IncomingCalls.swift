import SkyNetCore
import Synchronization

/// The calls that one connection's peer waits for. Each runs as a task of its own, which the
/// peer's cancel frame cancels, and which is awaited when the connection ends.
final class IncomingCalls: Sendable {
  private let tasks = Mutex<[UInt64: Task<Void, Never>]>([:])

  /// Begins a call, preferably on this executor.
  ///
  /// - Throws: `WireError` if a call with this id is running.
  func begin(
    _ id: UInt64, on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Void
  ) throws(WireError) {
    let isNew = tasks.withLock { tasks in
      guard tasks[id] == nil else { return false }
      tasks[id] = Task(executorPreference: executor) {
        await body()
        // Not before the task is in the table: that happens under the same lock.
        self.tasks.withLock { _ = $0.removeValue(forKey: id) }
      }
      return true
    }
    guard isNew else { throw WireError(.unexpected, "call \(id) came twice") }
  }

  func cancel(_ id: UInt64) {
    tasks.withLock { $0[id] }?.cancel()
  }

  /// Returns when the calls that run now have been answered.
  func finish() async {
    for task in tasks.withLock({ Array($0.values) }) { await task.value }
  }

  /// Cancels what is left, and returns when it has ended.
  func end() async {
    let left = tasks.withLock { Array($0.values) }
    for task in left { task.cancel() }
    for task in left { await task.value }
  }
}
