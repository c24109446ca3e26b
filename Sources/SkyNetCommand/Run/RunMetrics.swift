import SkyNetCluster
import SkyNetCore
import SkyNetHTTP
import SkyNetMetrics

/// The metrics of a run, which a Prometheus may ask for while it goes on.
struct RunMetrics: RunSurrounding {
  private let server: MetricsServer
  private let stop: StopRequest

  /// From now on the process counts. `nil` without `--metrics`.
  ///
  /// - Throws: ``TokenError``.
  init?(_ options: MetricsOptions, _ stop: StopRequest) throws {
    guard let server = try options.server() else { return nil }
    self.server = server
    self.stop = stop
  }

  func during<Ended: Sendable>(_ run: () async throws -> Ended) async throws -> Ended {
    try await server.serve(
      .standardError, health: { stop.status == nil ? .ready : .draining }, while: run)
  }

  /// Adds the figures of a cluster, with those that a workload makes of its engagements.
  func add(
    _ cluster: Cluster, _ figures: @escaping @Sendable ([EngagementSummary]) -> [MetricFamily]
  ) {
    server.add {
      let summaries = await cluster.engagementSummaries
      return ClusterFigures.engagements(
        summaries, loads: await cluster.systems.loads,
        peers: await cluster.connectedSystems.count)
        + figures(summaries) + (await cluster.ownStatus.map(ClusterFigures.slots) ?? [])
    }
  }
}
