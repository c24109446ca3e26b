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
/// A loop that ends without an error has had an outcome of each sector. The iteration throws ``EngagementError`` if the
/// cluster was joined without the scan, if no system connected in time, or if a graceful shutdown left sectors without
/// an outcome. It throws `CancellationError` if its task is cancelled before it has taken all outcomes, and if the
/// cluster has ended.
public struct SectorResults<Output: Sendable>: AsyncSequence, Sendable {
  public typealias Element = SectorOutcome<Output>
  public typealias Failure = any Error

  let engagements: EngagementQueue
  /// How many sectors there are; `nil` if nobody knows before the end.
  let count: Int?
  /// The path of the journal that an iteration uses, if it uses one.
  let journal: String?
  let feed = UpdateFeed()
  let engage: @Sendable (ShutdownTrigger, @escaping Coordinator.Report) async throws -> Tally

  init(
    engagements: EngagementQueue, count: Int?, journal: String? = nil,
    engage:
      @escaping @Sendable (ShutdownTrigger, @escaping Coordinator.Report) async throws -> Tally
  ) {
    self.engagements = engagements
    self.count = count
    self.journal = journal
    self.engage = engage
  }

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
    let outcomes = AsyncThrowingChannel<Element, any Error>()
    let iteration = Iteration(count: count)
    let earlier = journal.flatMap { engagements.begin(iteration, on: $0) }
    let isAdded = engagements.add {
      // A journal that an earlier loop used is about to be closed, if that loop was left.
      if let earlier, earlier.abandoned.isComplete { try? await earlier.ended.value() }
      await deliver(outcomes, in: iteration)
      end(iteration)
    }
    if !isAdded {
      outcomes.fail(CancellationError())
      end(iteration)
    }
    return Iterator(outcomes: outcomes, abandonment: Abandonment(of: iteration))
  }

  public struct Iterator: AsyncIteratorProtocol {
    let outcomes: AsyncThrowingChannel<Element, any Error>
    /// Ends the engagement when the iterator is gone.
    let abandonment: Abandonment
    private var taken = 0
    private var isOver = false

    init(outcomes: AsyncThrowingChannel<Element, any Error>, abandonment: Abandonment) {
      self.outcomes = outcomes
      self.abandonment = abandonment
    }

    public mutating func next() async throws -> Element? {
      guard !isOver else { return nil }
      // The channel's iterator is not `Sendable`, so it cannot be kept here. It holds only the channel, so a new
      // one continues where the last one ended.
      var iterator = outcomes.makeAsyncIterator()
      isOver = true
      guard let outcome = try await iterator.next() else {
        // To a task that was cancelled the channel seems to have ended.
        guard abandonment.iteration.count == taken else { throw CancellationError() }
        return nil
      }
      isOver = false
      taken += 1
      return outcome
    }
  }

  /// Tells the engagement, by its end, that the loop was left.
  final class Abandonment: Sendable {
    let iteration: Iteration

    init(of iteration: Iteration) { self.iteration = iteration }

    deinit { iteration.abandoned.complete(.success(())) }
  }

  private func deliver(
    _ outcomes: AsyncThrowingChannel<Element, any Error>, in iteration: Iteration
  ) async {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await iteration.abandoned.value() }
        group.addTask { iteration.complete(of: try await report(to: outcomes)) }
        defer { group.cancelAll() }
        try await group.next()
      }
      outcomes.finish()
    } catch {
      outcomes.fail(error)
    }
    feed.finish()
  }

  /// Returns how many sectors there were.
  private func report(to outcomes: AsyncThrowingChannel<Element, any Error>) async throws -> Int {
    let shutdown = ShutdownTrigger()
    let isInterrupted = Atomic(false)
    let tally = try await withGracefulShutdownHandler {
      try await engage(shutdown) { update in
        feed.publish(update)
        if let outcome = Element(update.event) { await outcomes.send(outcome) }
        if case .finished(let reason) = update.event, reason != nil {
          isInterrupted.store(true, ordering: .relaxed)
        }
      }
    } onGracefulShutdown: {
      shutdown.shutDown()
    }
    let left = tally.total - tally.completed - tally.failed
    // More inputs of a sequence may have been to come.
    if left > 0 || count == nil && isInterrupted.load(ordering: .relaxed) {
      throw EngagementError.interrupted(left: left)
    }
    return tally.total
  }

  private func end(_ iteration: Iteration) {
    iteration.ended.complete(.success(()))
    if let journal { engagements.end(iteration, on: journal) }
  }
}

/// One iteration over results, as its loop and its engagement know it.
final class Iteration: Sendable {
  /// The loop was left.
  let abandoned = OneShot<Void>()
  /// The engagement has ended, and its journal is closed.
  let ended = OneShot<Void>()
  private let known: Mutex<Int?>

  init(count: Int?) { known = Mutex(count) }

  /// How many sectors there are; `nil` while nobody knows.
  var count: Int? { known.withLock { $0 } }

  /// The engagement has ended with this many sectors.
  func complete(of count: Int) { known.withLock { $0 = $0 ?? count } }
}

/// Runs engagements as children of the cluster's own task group, so that no engagement outlives the cluster.
final class EngagementQueue: Sendable {
  typealias Engagement = @Sendable () async -> Void

  private let engagements = AsyncStream.makeStream(of: Engagement.self)
  /// The last iteration with each journal, by its path. It has a lock, as a loop may begin on any thread.
  private let journals = Mutex<[String: Iteration]>([:])

  /// An iteration with a journal begins. Returns the one before, if that has not ended.
  func begin(_ iteration: Iteration, on journal: String) -> Iteration? {
    journals.withLock { $0.updateValue(iteration, forKey: journal) }
  }

  func end(_ iteration: Iteration, on journal: String) {
    journals.withLock { iterations in
      if iterations[journal] === iteration { iterations[journal] = nil }
    }
  }

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
