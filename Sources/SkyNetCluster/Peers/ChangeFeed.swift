import Synchronization

/// Hands each change of the systems to all followers. They are told from any thread, in the order in which it changed.
final class ChangeFeed: Sendable {
  private struct State {
    var followers: [Int: AsyncStream<Systems.Change>.Continuation] = [:]
    var nextFollower = 0
  }

  private let state = Mutex(State())

  /// What changes from now on, after what makes these as they are now.
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

  /// Makes a change, and tells of it before any other is made.
  ///
  /// - Parameter make: returns the change; `nil` if there is none.
  func tell(of make: () -> Systems.Change?) {
    state.withLock { state in
      guard let change = make() else { return }
      for follower in state.followers.values { follower.yield(change) }
    }
  }
}
