import CoreMetrics
import SkyNetCore

/// What a process counts of the scans that it runs, in the process's metrics backend (`MetricsSystem`).
///
/// A process without a backend has no such counters, and spends nothing on them. What can be looked up at any
/// time, such as how many scans run, is not counted here: a backend asks ``ScanSystem/servingStatus``.
struct ScanMetrics: Sendable {
  enum Ending: String, CaseIterable {
    case done, failed, cancelled

    init(_ error: (any Error)?) {
      self = error.map { $0 is CancellationError ? .cancelled : .failed } ?? .done
    }
  }

  private struct Instruments: Sendable {
    let kind: ScanKind
    let endings: [Ending: Counter]
    let duration: Timer
  }

  /// A process knows so few kinds that a linear search is quicker than a hash.
  private let instruments: [Instruments]

  /// `nil` if the process has no metrics backend.
  init?(_ kinds: [ScanKind]) {
    guard !(MetricsSystem.factory is NOOPMetricsHandler) else { return nil }
    instruments = kinds.map { kind in
      let endings = Ending.allCases.map { ending in
        let dimensions = [("kind", kind.description), ("state", ending.rawValue)]
        return (ending, Counter(label: "skynet_scans_total", dimensions: dimensions))
      }
      return Instruments(
        kind: kind, endings: Dictionary(uniqueKeysWithValues: endings),
        duration: Timer(
          label: "skynet_scan_duration_seconds", dimensions: [("kind", kind.description)]))
    }
  }

  func ended(_ kind: ScanKind, _ ending: Ending, after duration: Duration) {
    guard let own = instruments.first(where: { $0.kind == kind }) else { return }
    own.endings[ending]?.increment()
    own.duration.recordNanoseconds(duration.inNanoseconds)
  }
}

extension Duration {
  /// The duration in whole nanoseconds. It is 292 years at most.
  fileprivate var inNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole + attoseconds / 1_000_000_000
  }
}
