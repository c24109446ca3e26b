import AsyncAlgorithms
import ServiceLifecycle
import SkyNetCore

/// The outcomes of an engagement's sectors, in the order in which they end.
///
/// An iteration engages the cluster: it begins with the first element that is asked for. When the loop is
/// left, by `break`, by an error or because its task was cancelled, the scans that run are cancelled. An
/// outcome waits until it is taken, and the engagement with it: a loop that is slow holds the engagement up, and
/// nothing piles up in memory.
///
/// A sector that is given up is an element like any other, with the story of its attempts. ``outputs``
/// throws instead.
///
/// During a graceful shutdown (ServiceLifecycle) no new scan begins, and the sequence ends when those that
/// run have ended.
///
/// The iteration throws ``EngagementError`` if no system came in time, or if a graceful shutdown left sectors
/// without an outcome; and `CancellationError` if the cluster has ended.
public struct SectorResults<Output: Sendable>: AsyncSequence, Sendable {
  public typealias Element = SectorOutcome<Output>
  public typealias Failure = any Error

  let engagements: EngagementQueue
  let feed = UpdateFeed()
  /// Runs the engagement, and reports what happens.
  let engage: @Sendable (ShutdownTrigger, @escaping Coordinator.Report) async throws -> Tally

  /// What happens in an iteration, as it happens, with the counts: for progress bars and logs. It is asked for
  /// before the iteration begins, and ends with it. A reader that does not keep up loses the oldest of
  /// more than 1024 updates, and holds nothing up.
  public var updates: AsyncStream<EngagementUpdate> { feed.updates() }

  /// The same outcomes as numbers and outputs. The iteration throws a ``SectorFailure`` at the first sector
  /// that is given up, which cancels the others.
  public var outputs: AsyncThrowingMapSequence<Self, (number: Int, output: Output)> {
    map { (number: $0.number, output: try $0.output.get()) }
  }

  public func makeAsyncIterator() -> Iterator {
    let (outcomes, abandoned) = (AsyncThrowingChannel<Element, any Error>(), OneShot<Void>())
    if !engagements.add({ await deliver(outcomes, until: abandoned) }) {
      outcomes.fail(CancellationError())
    }
    return Iterator(outcomes: outcomes, abandonment: Abandonment(abandoned: abandoned))
  }

  public struct Iterator: AsyncIteratorProtocol {
    let outcomes: AsyncThrowingChannel<Element, any Error>
    /// Lives as long as the iterator.
    let abandonment: Abandonment

    public mutating func next() async throws -> Element? {
      // The channel's own iterator holds nothing but the channel, and cannot be sent to where it runs.
      var iterator = outcomes.makeAsyncIterator()
      return try await iterator.next()
    }
  }

  /// Tells the engagement that the loop was left.
  final class Abandonment: Sendable {
    private let abandoned: OneShot<Void>

    init(abandoned: OneShot<Void>) { self.abandoned = abandoned }

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
      try await engage(shutdown) { event, tally in
        feed.tell(EngagementUpdate(event: event, tally: tally))
        if let outcome = Element(event) { await outcomes.send(outcome) }
      }
    } onGracefulShutdown: {
      shutdown.shutDown()
    }
    let left = tally.total - tally.completed - tally.failed
    if left > 0 { throw EngagementError.interrupted(left: left) }
  }
}
