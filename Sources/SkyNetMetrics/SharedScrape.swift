import SkyNetCluster
import SkyNetCore

/// The text of a registry, made at most once a second: all that ask meanwhile get the same text. So the cost does
/// not grow with the number of programs that ask.
actor SharedScrape {
  /// Less than the shortest interval at which a Prometheus scrapes.
  static let lifetime = Duration.seconds(1)

  private let registry: PrometheusRegistry
  private let clock: any ClusterClock
  private var latest: (text: Task<String, Never>, begun: Instant)?

  init(_ registry: PrometheusRegistry, clock: any ClusterClock) {
    self.registry = registry
    self.clock = clock
  }

  /// The metrics of this moment, or of one at most a second ago.
  var text: String {
    get async {
      let now = clock.now
      if let latest, now < latest.begun + Self.lifetime { return await latest.text.value }
      // Those that ask at the same time wait for the same task.
      let text = Task { [registry] in await registry.text() }
      latest = (text, now)
      return await text.value
    }
  }
}
