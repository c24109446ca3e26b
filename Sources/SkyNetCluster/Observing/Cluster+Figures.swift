package import SkyNetCore

/// What can be looked up of a cluster at any time, for metrics.
extension Cluster {
  /// What this process's own system is doing; `nil` if the process scans nothing itself.
  package var ownStatus: ServingStatus? { get async { await actorSystem.ownSystem?.servingStatus } }

  /// How far the engagements of this process are.
  package var engagementSummaries: [EngagementSummary] {
    get async {
      await actorSystem.peers.engagementSummaries(at: clock.now, client: actorSystem.hello.name)
    }
  }
}
