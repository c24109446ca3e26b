import Synchronization

/// Those who follow what changes. They are told from any thread, in one order.
final class ChangeFeed: Sendable {
  private struct State {
    var followers: [Int: AsyncStream<Systems.Change>.Continuation] = [:]
    var nextFollower = 0
  }

  private let state = Mutex(State())

  /// What changes from now on, after these.
  func follow(after changes: [Systems.Change]) -> AsyncStream<Systems.Change> {
    let (stream, continuation) = AsyncStream.makeStream(of: Systems.Change.self)
    let number = state.withLock { state in
      state.nextFollower += 1
      state.followers[state.nextFollower] = continuation
      for change in changes { continuation.yield(change) }
      return state.nextFollower
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
    }
    return stream
  }

  func tell(_ change: Systems.Change) {
    let followers = state.withLock { $0.followers.values.map { $0 } }
    for follower in followers { follower.yield(change) }
  }
}
