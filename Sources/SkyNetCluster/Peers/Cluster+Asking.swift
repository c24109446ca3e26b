import Distributed
public import SkyNetCore

/// A system could not be asked to drain, or to take tasks again.
package struct DrainRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(description: String) {
    self.description = description
  }
}

extension Cluster {
  /// Asks a peer to take no new tasks: it hands back those that wait, and finishes those that run.
  ///
  /// - Returns: what still runs there.
  /// - Throws: ``DrainRefusal``; `CancellationError`.
  package func drain(_ peer: RemoteSystem) async throws -> SystemStatus {
    try await ask(peer) { try await $0.drain() }
  }

  /// Asks a peer to take tasks again, if it was asked to drain. The peer ends the connections of those that were
  /// told of the drain, so that they connect anew.
  ///
  /// - Returns: what runs there. The peer still drains if it is about to end.
  /// - Throws: ``DrainRefusal``; `CancellationError`.
  package func undrain(_ peer: RemoteSystem) async throws -> SystemStatus {
    try await ask(peer) { try await $0.undrain() }
  }

  private func ask(
    _ peer: RemoteSystem, _ call: (ScanSystem) async throws -> SystemStatus
  ) async throws -> SystemStatus {
    do {
      return try await call(try await systems.system(of: peer))
    } catch let failure as CallFailure {
      throw DrainRefusal(description: "\(peer.name) refuses: \(failure.message)")
    } catch let error where !(error is CancellationError) {
      throw DrainRefusal(description: "\(peer.name) does not answer: \(error)")
    }
  }

  /// Asks all these peers at the same time what they are doing.
  ///
  /// - Parameters:
  ///   - peers: some of ``Cluster/connectedSystems``.
  ///   - patience: how long to wait for their answers.
  /// - Returns: the answers that came in time, or before the caller's task was cancelled. There is none for a
  ///   peer whose version does not know this call, nor for one that has left, or whose answer cannot be
  ///   a status.
  public func statuses(
    of peers: [RemoteSystem], within patience: Duration
  ) async -> [Incarnation: SystemStatus] {
    let deadline = clock.now + patience
    return await withTaskGroup(of: (id: Incarnation, status: SystemStatus?).self) { group in
      for peer in peers {
        group.addTask { [systems, clock] in
          let status = try? await clock.attempt(until: deadline) {
            try await systems.system(of: peer).status()
          }
          return (peer.incarnation, status)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.id] = $1.status }
    }
  }

  // MARK: What can be looked up at any time, for metrics

  /// What this process's own system is doing; `nil` if the process scans nothing itself.
  package var ownStatus: ServingStatus? { get async { await systems.local?.servingStatus } }

  /// How far the engagements of this process are.
  package var engagementSummaries: [EngagementSummary] {
    get async {
      await actorSystem.peers.engagementSummaries(at: clock.now, client: actorSystem.hello.name)
    }
  }
}
