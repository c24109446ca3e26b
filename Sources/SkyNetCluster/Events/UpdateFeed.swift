import Synchronization

/// Hands an engagement's updates to all of its watchers.
///
/// It has a lock, as a watcher may come from any thread, and is to miss nothing from then on.
final class UpdateFeed: Sendable {
  private static let bufferSize = 1024

  private let watchers = Mutex<[AsyncStream<EngagementUpdate>.Continuation]>([])

  func updates() -> AsyncStream<EngagementUpdate> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: EngagementUpdate.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
    watchers.withLock { $0.append(continuation) }
    return stream
  }

  func publish(_ update: EngagementUpdate) {
    watchers.withLock { watchers in
      // A watcher that was dropped is forgotten.
      watchers.removeAll { if case .terminated = $0.yield(update) { true } else { false } }
    }
  }

  func finish() {
    watchers.withLock { watchers in
      for watcher in watchers { watcher.finish() }
      watchers = []
    }
  }
}
