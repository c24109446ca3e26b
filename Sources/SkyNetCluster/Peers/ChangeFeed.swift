import Synchronization

/// Hands each change of the systems to all followers, from any thread, in the order of the changes.
///
/// A change is yielded under the feed's lock, for the sake of the order, and a yield takes the lock of the task
/// that awaits it. A task that is cancelled ends its stream while it holds that same lock. So the end of a
/// stream must not wait for the feed's lock, or the two would wait for each other: it only sets a flag, and the
/// feed forgets the follower later.
final class ChangeFeed: Sendable {
  private final class Follower: Sendable {
    let continuation: AsyncStream<Systems.Change>.Continuation
    let hasEnded = Atomic(false)

    init(_ continuation: AsyncStream<Systems.Change>.Continuation) {
      self.continuation = continuation
    }
  }

  private let followers = Mutex<[Follower]>([])

  /// A stream of the changes from now on.
  ///
  /// - Parameter changes: returns changes that lead to the present state. The stream begins with them.
  func follow(after changes: () -> [Systems.Change]) -> AsyncStream<Systems.Change> {
    let (stream, continuation) = AsyncStream.makeStream(of: Systems.Change.self)
    let follower = Follower(continuation)
    // Weakly, as the continuation keeps this closure, and the follower the continuation.
    continuation.onTermination = { [weak follower] _ in
      follower?.hasEnded.store(true, ordering: .relaxed)
    }
    followers.withLock { followers in
      followers.removeAll { $0.hasEnded.load(ordering: .relaxed) }
      followers.append(follower)
      for change in changes() { continuation.yield(change) }
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
    followers.withLock { followers in
      let changes = perform()
      guard !changes.isEmpty else { return }
      followers.removeAll { $0.hasEnded.load(ordering: .relaxed) }
      for change in changes {
        for follower in followers { follower.continuation.yield(change) }
      }
    }
  }
}
