import Foundation
import Synchronization

/// A value that changes, and those who wait for it to become what they look for.
final class Watched<State: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let isMet: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Storage {
    var state: State
    var waiters: [UUID: Waiter] = [:]
  }

  private let storage: Mutex<Storage>

  init(_ state: State) {
    storage = Mutex(Storage(state: state))
  }

  var state: State { storage.withLock { $0.state } }

  func change(_ body: (inout State) -> Void) {
    let met = storage.withLock { storage in
      body(&storage.state)
      let met = storage.waiters.filter { $0.value.isMet(storage.state) }
      for id in met.keys { storage.waiters[id] = nil }
      return met
    }
    for waiter in met.values { waiter.continuation.resume() }
  }

  /// What `look` finds, as soon as it finds something; what it has found must not go away.
  ///
  /// - Throws: ``TooLate`` after the limit; what `look` throws.
  func value<Value: Sendable>(
    within limit: Duration, _ look: @escaping @Sendable (State) -> Result<Value, any Error>?
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask {
        try await self.wait { look($0) != nil }
        return try look(self.state)?.get()
      }
      // Only a limit: no test is slower or faster by it.
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() ?? nil else { throw TooLate(limit: limit) }
      return value
    }
  }

  private func wait(until isMet: @escaping @Sendable (State) -> Bool) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isDone = storage.withLock { storage in
          if isMet(storage.state) || Task.isCancelled { return true }
          storage.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      let waiter = storage.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}

extension Duration {
  /// Longer than any step of a test takes, however loaded the machine is: only what hangs runs into
  /// it.
  static let ample = Duration.seconds(300)
}

/// What was waited for did not come in time.
struct TooLate: Error, CustomStringConvertible {
  let limit: Duration

  var description: String { "nothing of the kind within \(limit)" }
}
