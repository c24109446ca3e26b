import CoreMetrics
import SkyNetCore

/// What a process counts of the scans that it runs, in the process's metrics backend (`MetricsSystem`).
///
/// A process without a backend has no such counters, and spends nothing on them. What can be looked up at any
/// time, such as how many scans run, is not counted here: a backend asks ``ScanSystem/servingStatus``.
struct ScanMetrics: Sendable {
  private struct Instruments: Sendable {
    let kind: ScanKind
    let done: Counter
    let retried: Counter
    let cancelled: Counter
    let duration: Timer
  }

  /// A process knows so few kinds that a linear search is quicker than a hash.
  private let instruments: [Instruments]

  /// `nil` if the process has no metrics backend.
  init?(_ kinds: [ScanKind]) {
    guard !(MetricsSystem.factory is NOOPMetricsHandler) else { return nil }
    instruments = kinds.map { kind in
      func scans(_ state: String) -> Counter {
        Counter(
          label: "skynet_scans_total",
          dimensions: [("kind", kind.description), ("state", state)])
      }
      return Instruments(
        kind: kind, done: scans("done"), retried: scans("retried"), cancelled: scans("cancelled"),
        duration: Timer(
          label: "skynet_scan_duration_seconds", dimensions: [("kind", kind.description)]))
    }
  }

  /// - Parameter error: what the scan threw; `nil` if it returned.
  func ended(_ kind: ScanKind, _ error: (any Error)?, after duration: Duration) {
    guard let own = instruments.first(where: { $0.kind == kind }) else { return }
    switch error {
    case nil: own.done.increment()
    case is CancellationError: own.cancelled.increment()
    default: own.retried.increment()
    }
    own.duration.recordSeconds(duration.inSeconds)
  }
}
