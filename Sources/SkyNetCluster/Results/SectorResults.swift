import AsyncAlgorithms
import ServiceLifecycle
import SkyNetCore
import Synchronization

/// The outcomes of an engagement's sectors, in the order in which they end.
///
/// An iteration engages the cluster; the engagement begins when the iterator is made. When the loop is left, by
/// `break`, by an error or because its task was cancelled, the scans that run are cancelled. The engagement
/// waits until the loop has taken an outcome: a slow loop holds the engagement up, and outcomes do not pile up
/// in memory.
///
/// A sector that is given up is an element like any other, with the reasons why its attempts failed.
/// ``outputs`` throws instead.
///
/// During a graceful shutdown (ServiceLifecycle), no new scan begins, and the sequence ends when the running
/// scans have ended.
///
/// The iteration throws ``EngagementError`` if no system connected in time, or if a graceful shutdown left
/// sectors without an outcome. It throws `CancellationError` if the cluster has ended.
public struct SectorResults<Output: Sendable>: AsyncSequence, Sendable {
  public typealias Element = SectorOutcome<Output>
  public typealias Failure = any Error

  let engagements: EngagementQueue
  let feed = UpdateFeed()
  let engage: @Sendable (ShutdownTrigger, @escaping Coordinator.Report) async throws -> Tally

  /// The events of the next iteration, with the counts after each, for progress bars and logs. Ask for the
  /// stream before the iteration begins; it ends with the iteration. A slow reader does not hold up the
  /// engagement, and loses the oldest updates when more than 1024 wait.
  public var updates: AsyncStream<EngagementUpdate> { feed.updates() }

  /// The same outcomes as pairs of a number and an output. The iteration throws a ``SectorFailure`` at the first
  /// sector that is given up, which cancels the other sectors.
  public var outputs: AsyncThrowingMapSequence<Self, (number: Int, output: Output)> {
    map { (number: $0.number, output: try $0.output.get()) }
  }

  public func makeAsyncIterator() -> Iterator {
    let (outcomes, abandonment) = (AsyncThrowingChannel<Element, any Error>(), Abandonment())
    let abandoned = abandonment.abandoned
    if !engagements.add({ await deliver(outcomes, until: abandoned) }) {
      outcomes.fail(CancellationError())
    }
    return Iterator(outcomes: outcomes, abandonment: abandonment)
  }

  public struct Iterator: AsyncIteratorProtocol {
    let outcomes: AsyncThrowingChannel<Element, any Error>
    /// Ends the engagement when the iterator is gone.
    let abandonment: Abandonment

    public mutating func next() async throws -> Element? {
      // The channel's iterator is not `Sendable`, so it cannot be kept here. It holds only the channel, so a new
      // one continues where the last one ended.
      var iterator = outcomes.makeAsyncIterator()
      return try await iterator.next()
    }
  }

  /// Tells the engagement, by its end, that the loop was left.
  final class Abandonment: Sendable {
    let abandoned = OneShot<Void>()

    deinit { abandoned.complete(.success(())) }
  }

  private func deliver(
    _ outcomes: AsyncThrowingChannel<Element, any Error>, until abandoned: OneShot<Void>
  ) async {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await abandoned.value() }
        group.addTask { try await report(to: outcomes) }
        defer { group.cancelAll() }
        try await group.next()
      }
      outcomes.finish()
    } catch {
      outcomes.fail(error)
    }
    feed.finish()
  }

  private func report(to outcomes: AsyncThrowingChannel<Element, any Error>) async throws {
    let shutdown = ShutdownTrigger()
    let tally = try await withGracefulShutdownHandler {
      try await engage(shutdown) { update in
        feed.publish(update)
        if let outcome = Element(update.event) { await outcomes.send(outcome) }
      }
    } onGracefulShutdown: {
      shutdown.shutDown()
    }
    let left = tally.total - tally.completed - tally.failed
    if left > 0 { throw EngagementError.interrupted(left: left) }
  }
}

/// Runs engagements as children of the cluster's own task group, so that no engagement outlives the cluster.
struct EngagementQueue: Sendable {
  typealias Engagement = @Sendable () async -> Void

  private let engagements = AsyncStream.makeStream(of: Engagement.self)

  /// Has an engagement run. Returns `false` if the cluster has ended.
  func add(_ engagement: @escaping Engagement) -> Bool {
    if case .terminated = engagements.continuation.yield(engagement) { false } else { true }
  }

  /// Runs the engagements that are added, until the caller's task is cancelled.
  func serve() async {
    await withDiscardingTaskGroup { group in
      for await engagement in engagements.stream { group.addTask { await engagement() } }
    }
  }
}

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
