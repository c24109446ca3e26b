import SkyNetCore
import Synchronization

/// The calls that one connection's peer waits for. Each runs as a task of its own, which the
/// peer's cancel frame cancels, and which is awaited when the connection ends.
final class IncomingCalls: Sendable {
  private struct Calls {
    var tasks: [UInt64: Task<Void, Never>] = [:]
    /// The bytes that they came with.
    var held = 0
  }

  private let calls = Mutex(Calls())
  private let limit: Int
  private let heldLimit: Int

  /// - Parameters:
  ///   - limit: how many calls there may be at a time.
  ///   - held: how many bytes they may have come with.
  init(limit: Int, held: Int) {
    self.limit = limit
    heldLimit = held
  }

  /// Begins a call that came with so many bytes, preferably on this executor.
  ///
  /// - Throws: `WireError` if a call with this id is running, or too much.
  func begin(
    _ id: UInt64, holding count: Int, on executor: (any TaskExecutor)?,
    _ body: @escaping @Sendable () async -> Void
  ) throws(WireError) {
    try calls.withLock { calls throws(WireError) in
      guard calls.tasks[id] == nil else {
        throw WireError(.unexpected, "call \(id) came twice")
      }
      guard calls.tasks.count < limit else {
        throw .tooMuch("calls", calls.tasks.count + 1, limit: limit)
      }
      guard calls.held + count <= heldLimit else {
        throw .tooMuch("bytes of calls", calls.held + count, limit: heldLimit)
      }
      calls.held += count
      calls.tasks[id] = Task(executorPreference: executor) {
        await body()
        // Not before the task is in the table: that happens under the same lock.
        self.calls.withLock { calls in
          calls.tasks[id] = nil
          calls.held -= count
        }
      }
    }
  }

  func cancel(_ id: UInt64) {
    calls.withLock { $0.tasks[id] }?.cancel()
  }

  /// Returns when the calls that run now have been answered.
  func finish() async {
    for task in calls.withLock({ Array($0.tasks.values) }) { await task.value }
  }

  /// Cancels what is left, and returns when it has ended.
  func end() async {
    let left = calls.withLock { Array($0.tasks.values) }
    for task in left { task.cancel() }
    for task in left { await task.value }
  }
}
