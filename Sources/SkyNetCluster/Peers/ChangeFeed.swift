import Synchronization

/// Hands each change of the systems to all followers, from any thread, in the order of the changes.
final class ChangeFeed: Sendable {
  private struct State {
    var followers: [Int: AsyncStream<Systems.Change>.Continuation] = [:]
    var nextFollower = 0
  }

  private let state = Mutex(State())

  /// A stream of the changes from now on.
  ///
  /// - Parameter changes: returns changes that lead to the present state. The stream begins with them.
  func follow(after changes: () -> [Systems.Change]) -> AsyncStream<Systems.Change> {
    let (stream, continuation) = AsyncStream.makeStream(of: Systems.Change.self)
    let number = state.withLock { state in
      state.nextFollower += 1
      state.followers[state.nextFollower] = continuation
      for change in changes() { continuation.yield(change) }
      return state.nextFollower
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Performs a change, and hands it to all followers before another change can be performed.
  ///
  /// - Parameter perform: performs the change and returns it; returns `nil` if nothing has changed.
  func publish(_ perform: () -> Systems.Change?) {
    publishAll { perform().map { [$0] } ?? [] }
  }

  /// Performs changes, and hands them to all followers before another change can be performed.
  func publishAll(_ perform: () -> [Systems.Change]) {
    state.withLock { state in
      for change in perform() {
        for follower in state.followers.values { follower.yield(change) }
      }
    }
  }
}
