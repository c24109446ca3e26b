import SkyNetCluster
import SkyNetCore
import Synchronization

/// The text of a registry, made at most once a second: all that ask meanwhile get the same text. So the cost does
/// not grow with the number of programs that ask.
final class SharedScrape: Sendable {
  /// Less than the shortest interval at which a Prometheus scrapes.
  static let lifetime = Duration.seconds(1)

  private struct Made {
    let text: String
    let time: Instant
  }

  private let registry: PrometheusRegistry
  private let clock: any ClusterClock
  private let latest = Mutex<Made?>(nil)

  init(_ registry: PrometheusRegistry, clock: any ClusterClock) {
    self.registry = registry
    self.clock = clock
  }

  /// The metrics of this moment, or of one at most a second ago.
  var text: String {
    // Those that ask at the same time wait, and share it.
    latest.withLock { latest in
      let now = clock.now
      if let latest, now < latest.time + Self.lifetime { return latest.text }
      let made = Made(text: registry.text(), time: now)
      latest = made
      return made.text
    }
  }
}
