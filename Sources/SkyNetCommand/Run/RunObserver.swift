public import ArgumentParser
public import SkyNetCluster

/// Hears what happens in a run: shows it, writes it down, or remembers it for the end.
public protocol RunObserver: Sendable {
  /// Hears of each event, in order. It must not take long, as the run waits. By default it does nothing.
  func hear(_ update: EngagementUpdate)
  /// Whether it is behind with what it writes. The run then awaits ``catchUp()`` before it goes on. By default it never is.
  var isBehind: Bool { get }
  /// Returns when the observer is not behind any more. By default it returns at once.
  func catchUp() async
  /// A first signal asks the run to stop. By default this does nothing.
  func stops(at signal: ExitCode)
}

extension RunObserver {
  public func hear(_ update: EngagementUpdate) {}
  public var isBehind: Bool { false }
  public func catchUp() async {}
  public func stops(at signal: ExitCode) {}
}

/// Does something around a run: before it, while it goes on, and after it.
///
/// There is no default: an implementation in a module whose closures have another isolation would silently not be taken
/// for ``during(_:)``.
package protocol RunSurrounding: Sendable {
  /// Awaits `run` once.
  ///
  /// - Throws: what `run` throws. An error before `run` refuses the run, and one after it fails the run.
  func during<Ended: Sendable>(_ run: () async throws -> Ended) async throws -> Ended
}

extension [any RunSurrounding] {
  /// Surrounds a run with all of them, of which the first is the outermost.
  package func during<Ended: Sendable>(_ run: () async throws -> Ended) async throws -> Ended {
    guard let first else { return try await run() }
    return try await first.during { try await Array(dropFirst()).during(run) }
  }
}

/// Runs `body`, and `helper` beside it, which is cancelled and awaited at the end.
package func accompanied<Ended>(
  by helper: @escaping @Sendable () async -> Void, _ body: () async throws -> Ended
) async throws -> Ended {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { await helper() }
    defer { group.cancelAll() }
    return try await body()
  }
}
