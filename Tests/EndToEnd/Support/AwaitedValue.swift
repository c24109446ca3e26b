import Foundation
import Synchronization
import Testing

/// A value that changes, and for whose conditions tasks can wait.
final class AwaitedValue<State: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let isMet: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Storage {
    var state: State
    var waiters: [UUID: Waiter] = [:]
    var reactions: [(isDue: @Sendable (State) -> Bool, react: @Sendable (State) -> Void)] = []
  }

  private let storage: Mutex<Storage>

  init(_ state: State) {
    storage = Mutex(Storage(state: state))
  }

  var state: State { storage.withLock { $0.state } }

  func change(_ body: (inout State) -> Void) {
    let (met, due, state) = storage.withLock { storage in
      body(&storage.state)
      let state = storage.state
      let met = storage.waiters.filter { $0.value.isMet(state) }
      for id in met.keys { storage.waiters[id] = nil }
      let due = storage.reactions.filter { $0.isDue(state) }
      storage.reactions.removeAll { $0.isDue(state) }
      return (met, due, state)
    }
    for reaction in due { reaction.react(state) }
    for waiter in met.values { waiter.continuation.resume() }
  }

  /// Reacts once to the first state of which `isDue` returns `true`: at once, or on the thread that changes the state.
  func whenFirst(
    _ isDue: @escaping @Sendable (State) -> Bool, _ react: @escaping @Sendable (State) -> Void
  ) {
    let present = storage.withLock { storage -> State? in
      if isDue(storage.state) { return storage.state }
      storage.reactions.append((isDue, react))
      return nil
    }
    if let present { react(present) }
  }

  /// Waits until `look` returns a result, and returns it. Once `look` has returned a result, it
  /// must go on returning one.
  ///
  /// - Throws: ``TimedOut`` after the limit; the error that `look` returns.
  func value<Value: Sendable>(
    within limit: Duration, _ look: @escaping @Sendable (State) -> Result<Value, any Error>?
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask {
        try await self.wait { look($0) != nil }
        return try look(self.state)?.get()
      }
      // Only a limit: it changes the time of no test that passes.
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() ?? nil else { throw TimedOut(limit: limit) }
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
  /// Longer than any step of a test takes on a loaded machine. Only a test that hangs reaches it.
  static let ample = Duration.seconds(300)
}

extension TimeLimitTrait.Duration {
  /// Longer than any test takes on a loaded machine, with the time until its turn.
  static let ample = minutes(60)
}

/// The awaited value did not come in time.
struct TimedOut: Error, CustomStringConvertible {
  let limit: Duration

  var description: String { "nothing of the kind within \(limit)" }
}
