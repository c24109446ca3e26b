public import SkyNetCluster
public import SkyNetCore

/// A clock that stands still until a test moves it.
///
/// A test moves code that waits by this clock in two steps: it waits until the code sleeps, then advances the
/// clock. Neither step depends on the machine's speed:
///
/// ```swift
/// try await clock.sleepers(atLeast: 1)
/// clock.advance(by: .seconds(10))
/// ```
///
/// Which tasks sleep first may depend on the machine, and then so does how far the clock has to be advanced;
/// ``advance(by:sleepers:until:)`` goes on until what the test waits for has come.
///
/// A heartbeat whose clock is advanced by more than three of its intervals at once takes its own process to have
/// stood still, and forgives its peer. So advance the clock by one interval at a time.
public final class ManualClock: ClusterClock {
  /// A point in time of the cluster's clocks.
  public typealias Instant = SkyNetCore.Instant
  /// The time between two instants.
  public typealias Duration = Swift.Duration

  private struct State {
    var now = Instant()
    var deadlines: [Int: Instant] = [:]
    var nextSleeper = 0

    func count(until limit: Instant? = nil) -> Int {
      deadlines.values.count { deadline in
        deadline > now && limit.map { deadline <= $0 } ?? true
      }
    }
  }

  private let state = Watched(State())

  /// Makes a clock that stands at `Instant()`.
  public init() {}

  /// The time to which the clock has been advanced.
  public var now: Instant { state.value.now }

  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the clock has been advanced to the deadline; returns at once if the clock is there already.
  ///
  /// - Throws: `CancellationError`, at once, if the caller is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.update { state -> Int? in
      guard state.now < deadline else { return nil }
      state.nextSleeper += 1
      state.deadlines[state.nextSleeper] = deadline
      return state.nextSleeper
    }
    guard let id else { return try Task.checkCancellation() }
    try await state.take {
      $0.deadlines[id] = nil
    } _: { state -> Void? in
      guard state.now >= deadline else { return nil }
      state.deadlines[id] = nil
      return ()
    }
  }

  /// Advances the clock, and wakes the tasks whose deadline has come, the earliest deadline first.
  public func advance(by duration: Duration) {
    let (now, deadlines) = (state.value.now, Set(state.value.deadlines.values))
    let target = now + duration
    for stop in deadlines.filter({ now < $0 && $0 < target }).sorted() + [target] {
      state.update { $0.now = max($0.now, stop) }
    }
  }

  /// Advances the clock by `step` again and again until `body` has returned, each time when at least this many
  /// tasks sleep that would wake in it, and other tasks have had their turn.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error of `body`, or `CancellationError`.
  @discardableResult
  public func advance<Result: Sendable>(
    by step: Duration, sleepers: Int = 1,
    until body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        while true {
          await self.letOthersRun()
          try await self.sleepers(atLeast: sleepers, within: step)
          self.advance(by: step)
        }
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() ?? nil else { throw CancellationError() }
      return result
    }
  }

  /// Gives the tasks that can run many turns, so that what a message or a step of the clock has set off has most
  /// likely come to rest.
  public func letOthersRun() async {
    for _ in 0..<100 { await Task.yield() }
  }

  /// Waits until at least this many tasks are asleep.
  ///
  /// - Parameters:
  ///   - count: how many tasks to wait for.
  ///   - duration: counts only the tasks that would wake if the clock were advanced by this; with `nil`, all.
  /// - Throws: `CancellationError`.
  public func sleepers(atLeast count: Int, within duration: Duration? = nil) async throws {
    try await state.wait { state in
      state.count(until: duration.map { state.now + $0 }) >= count
    }
  }

  /// When the first task that is asleep would wake; `nil` if none is.
  package var nextDeadline: Instant? {
    let state = state.value
    return state.deadlines.values.filter { $0 > state.now }.min()
  }

  /// How many tasks are asleep at present.
  public var sleeperCount: Int { state.value.count() }
}
