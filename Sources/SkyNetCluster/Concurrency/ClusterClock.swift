public import SkyNetCore

/// A clock that a cluster sleeps by. Tests use one that stands still until they move it.
public protocol ClusterClock: Clock
where Instant == SkyNetCore.Instant, Duration == Swift.Duration {}

/// The machine's steady clock. It continues while the machine sleeps, and never jumps.
public struct SteadyClock: ClusterClock {
  public typealias Instant = SkyNetCore.Instant
  public typealias Duration = Swift.Duration

  private let origin = ContinuousClock.now

  /// Makes a clock whose origin is now.
  public init() {}

  public var now: Instant { Instant(sinceOrigin: origin.duration(to: .now)) }

  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let until = origin.advanced(by: deadline.sinceOrigin)
    try await ContinuousClock().sleep(until: until, tolerance: tolerance)
  }
}

extension ClusterClock {
  /// Sleeps until the instant, or throws `CancellationError`.
  func sleep(until deadline: SkyNetCore.Instant) async throws {
    try await sleep(until: deadline, tolerance: nil)
  }

  /// Does something, but cancels it at this instant if it has not ended.
  ///
  /// - Returns: what `body` returns; `nil` if the instant came first.
  /// - Throws: the error of `body`; `CancellationError`.
  func attempt<Value: Sendable>(
    until deadline: SkyNetCore.Instant, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await sleep(until: deadline)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
