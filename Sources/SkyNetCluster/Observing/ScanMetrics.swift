import CoreMetrics
import SkyNetCore

/// What a process counts of the scans that it runs, in the process's metrics backend (`MetricsSystem`).
///
/// A process without a backend has no such counters, and spends nothing on them. What can be looked up at any
/// time, such as how many scans run, is not counted here: a backend asks ``ScanSystem/servingStatus``.
struct ScanMetrics: Sendable {
  enum Ending: String {
    case done, failed, cancelled

    /// - Parameter error: the error that the scan threw, if any.
    init(_ error: (any Error)?) {
      self = error.map { $0 is CancellationError ? .cancelled : .failed } ?? .done
    }
  }

  private struct Instruments: Sendable {
    let kind: ScanKind
    let done: Counter
    let failed: Counter
    let cancelled: Counter
    let duration: Timer

    init(_ kind: ScanKind) {
      self.kind = kind
      func counter(_ ending: Ending) -> Counter {
        Counter(
          label: "skynet_scans_total",
          dimensions: [("kind", kind.description), ("state", ending.rawValue)])
      }
      done = counter(.done)
      failed = counter(.failed)
      cancelled = counter(.cancelled)
      duration = Timer(
        label: "skynet_scan_duration_seconds", dimensions: [("kind", kind.description)])
    }
  }

  /// A process knows so few kinds that a linear search is quicker than a hash.
  private let instruments: [Instruments]

  /// `nil` if the process has no metrics backend.
  init?(_ kinds: [ScanKind]) {
    guard !(MetricsSystem.factory is NOOPMetricsHandler) else { return nil }
    instruments = kinds.map(Instruments.init)
  }

  /// A scan has ended, after it has run for this long.
  func ended(_ kind: ScanKind, _ ending: Ending, after duration: Duration) {
    guard let own = instruments.first(where: { $0.kind == kind }) else { return }
    switch ending {
    case .done: own.done.increment()
    case .failed: own.failed.increment()
    case .cancelled: own.cancelled.increment()
    }
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
