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
  private let (retried, failed): (Counter, Counter)
  private let (lost, withdrawn): (Counter, Counter)
  /// The task whose attempt has just failed. The next event tells whether the task is given up with it.
  private var undecided: TaskID?
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
    (retried, failed) = (attempts("retried"), attempts("failed"))
    (lost, withdrawn) = (attempts("lost"), attempts("withdrawn"))
    retries = Counter(
      label: "skynet_retries_total", dimensions: [("kind", kind.description)])
  }

  mutating func count(_ event: EngagementEvent) {
    decide(by: event)
    switch event {
    case .completed(let result): accepted(from: result.system)
    case .passCompleted(_, let system, _): accepted(from: system)
    case .attemptEnded(let handout, .failed, _): undecided = handout.task
    case .attemptEnded(_, .lost, _): lost.increment()
    case .attemptEnded(_, .withdrawn, _): withdrawn.increment()
    case .retried: retries.increment()
    default: break
    }
  }

  private mutating func decide(by event: EngagementEvent) {
    guard let task = undecided else { return }
    // A task beyond mending is given up after its other attempt is withdrawn.
    if case .attemptEnded(let other, .withdrawn, _) = event, other.task == task { return }
    undecided = nil
    if case .failed(let failure) = event, failure.task == task {
      failed.increment()
    } else {
      retried.increment()
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
