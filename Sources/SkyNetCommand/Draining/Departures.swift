import SkyNetCluster
import SkyNetCore
import Synchronization

/// The reasons for which connections to systems have ended.
final class Departures: Sendable {
  private let reasons = Mutex<[Incarnation: String]>([:])

  /// The reason for which the latest connection to a system has ended, as far as it is known; `nil` while the system
  /// is connected.
  subscript(id: Incarnation) -> String? { reasons.withLock { $0[id] } }

  /// Runs `body` while it follows the cluster's connections.
  ///
  /// - Throws: the error of `body`.
  static func following<Result: Sendable>(
    _ cluster: Cluster, _ body: @escaping @Sendable (Departures) async throws -> Result
  ) async throws -> Result {
    let departures = Departures()
    let changes = await cluster.systems.changes()
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask {
        for await change in changes { departures.apply(change) }
        return nil
      }
      group.addTask { try await body(departures) }
      defer { group.cancelAll() }
      for try await result in group {
        if let result { return result }
      }
      throw CancellationError()
    }
  }

  private func apply(_ change: Systems.Change) {
    reasons.withLock { reasons in
      switch change {
      case .connected(let system): reasons[system.incarnation] = nil
      case .disconnected(let system, let reason): reasons[system.incarnation] = reason
      default: break
      }
    }
  }
}
