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
    await withTaskGroup(of: (id: Incarnation, status: SystemStatus?)?.self) { group in
      for peer in peers {
        group.addTask { [actorSystem] in
          let system = try? ScanSystem.resolve(id: peer.incarnation, using: actorSystem)
          return (peer.incarnation, try? await system?.status())
        }
      }
      group.addTask { [clock] in
        try? await clock.sleep(until: clock.now + patience)
        return nil
      }
      defer { group.cancelAll() }
      var statuses: [Incarnation: SystemStatus] = [:]
      var left = peers.count
      while left > 0, case let answer?? = await group.next() {
        left -= 1
        statuses[answer.id] = answer.status
      }
      return statuses
    }
  }
}
