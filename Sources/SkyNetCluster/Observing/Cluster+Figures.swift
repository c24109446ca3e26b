package import SkyNetCore

/// What can be looked up of a cluster at any time, for metrics.
extension Cluster {
  /// The systems that tasks may be given to, this process's own among them.
  package var loads: [Systems.Load] { get async { await systems.loads } }

  /// What this process's own system is doing; `nil` if the process scans nothing itself.
  package var ownStatus: ServingStatus? { get async { await actorSystem.ownSystem?.servingStatus } }

  /// The number of peers that are connected.
  package var peerCount: Int { get async { await systems.connected.count } }

  /// How far the engagements of this process are.
  package var engagementSummaries: [EngagementSummary] {
    get async {
      await actorSystem.peers.engagementSummaries(at: clock.now, client: actorSystem.hello.name)
    }
  }
}
