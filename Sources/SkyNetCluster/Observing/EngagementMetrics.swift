import CoreMetrics
import SkyNetCore

/// What an engagement counts of its attempts, in the process's metrics backend (`MetricsSystem`).
///
/// An attempt is counted where the journal records its end, so that both tell the same.
package struct EngagementMetrics {
  /// Peers choose their names. Systems beyond this many names count as `other`.
  package static let systemLimit = 100
  package static let otherSystems = "other"

  private let done: Counter
  private let endings: [EngagementEvent.Ending: Counter]
  private let retries: Counter
  /// The tasks that each system has done, by the system's name.
  private var bySystem: [String: Counter] = [:]

  /// `nil` if the process has no metrics backend.
  init?(_ kind: ScanKind) {
    guard !(MetricsSystem.factory is NOOPMetricsHandler) else { return nil }
    func attempts(_ state: String) -> Counter {
      Counter(
        label: "skynet_attempts_total",
        dimensions: [("kind", kind.description), ("state", state)])
    }
    done = attempts("done")
    endings = [
      .failed: attempts("failed"), .lost: attempts("lost"), .withdrawn: attempts("withdrawn"),
    ]
    retries = Counter(
      label: "skynet_retries_total", dimensions: [("kind", kind.description)])
  }

  mutating func count(_ event: EngagementEvent) {
    switch event {
    case .completed(let result): accepted(from: result.system)
    case .passCompleted(_, let system, _): accepted(from: system)
    case .attemptEnded(_, let ending, _): endings[ending]?.increment()
    case .retried: retries.increment()
    default: break
    }
  }

  private mutating func accepted(from system: String) {
    done.increment()
    if let known = bySystem[system] { return known.increment() }
    let name = bySystem.count < Self.systemLimit ? system : Self.otherSystems
    let counter =
      bySystem[name] ?? Counter(label: "skynet_tasks_total", dimensions: [("system", name)])
    bySystem[name] = counter
    counter.increment()
  }
}
