import CoreMetrics
import SkyNetCore
import SkyNetHTTP
import SkyNetMetrics

/// What this process counts, and the server that tells a Prometheus of it.
struct MetricsServer: Sendable {
  private let endpoint: Endpoint
  private let access: MetricsPage.Access
  private let registry = PrometheusRegistry()

  /// Becomes the metrics backend of this process, so there can be one. Nodes and clusters that were made before
  /// are not counted.
  init(_ endpoint: Endpoint, access: MetricsPage.Access) {
    self.endpoint = endpoint
    self.access = access
    MetricsSystem.bootstrap(registry)
    registry.collect { ClusterFigures.build + ProcessFigures.families }
  }

  /// Adds figures that are looked up at each request.
  func add(_ figures: @escaping PrometheusRegistry.Collector) { registry.collect(figures) }

  /// Serves while `body` runs. A line on the console says where.
  ///
  /// - Throws: an error with the reason, before `body` is called, if the address cannot be listened on; the error
  ///   of `body`.
  func serve<Result: Sendable>(
    _ console: Console, health: @escaping @Sendable () async -> Health,
    while body: () async throws -> Result
  ) async throws -> Result {
    let page = MetricsPage(registry, access: access, health: health)
    let server = WebServer(at: endpoint) { request in
      WebReply(
        await page.reply(
          to: .init(
            path: request.path, host: request.host,
            authorization: request.header("Authorization"))))
    }
    return try await server.serve { address in
      console.line("metrics: http://\(address)/metrics")
      return try await body()
    }
  }
}

extension WebReply {
  fileprivate init(_ reply: MetricsPage.Reply) {
    self.init(
      status: reply.status, type: reply.contentType, headers: reply.headers,
      body: .bytes(Array(reply.body.utf8)))
  }
}
