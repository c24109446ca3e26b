public import SkyNetCore
import Synchronization

/// What happened in an engagement, and its counts after that.
public struct EngagementUpdate: Sendable {
  public let event: EngagementEvent
  public let tally: Tally
}

/// Hands an engagement's updates to all that watch it.
final class UpdateFeed: Sendable {
  private static let mostKept = 1024

  private let watchers = Mutex<[AsyncStream<EngagementUpdate>.Continuation]>([])

  func updates() -> AsyncStream<EngagementUpdate> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: EngagementUpdate.self, bufferingPolicy: .bufferingNewest(Self.mostKept))
    watchers.withLock { $0.append(continuation) }
    return stream
  }

  func tell(_ update: EngagementUpdate) {
    watchers.withLock { watchers in
      for watcher in watchers { watcher.yield(update) }
    }
  }

  func finish() {
    watchers.withLock { watchers in
      for watcher in watchers { watcher.finish() }
      watchers = []
    }
  }
}
