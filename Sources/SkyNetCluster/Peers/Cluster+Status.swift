import Distributed
public import SkyNetCore

extension Cluster {
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
        group.addTask { [actorSystem, clock] in
          let status = try? await clock.attempt(until: deadline) {
            try await ScanSystem.resolve(id: peer.incarnation, using: actorSystem).status()
          }
          return (peer.incarnation, status)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.id] = $1.status }
    }
  }
}
