/// Decides what a process that has to be gone at a given time may still begin, and when it has to leave.
///
/// It starts nothing whose usual length would not fit into the time that is left. What is usual, it learns from its
/// own scans: the length that 95 % of the latest 64 did not exceed. Before any scan of its sort was completed, one is
/// started unless another of its sort has run for longer already than what is left.
package struct Lifetime: Sendable {
  /// Scans that take about as long: those of one kind in one pass of one run. Another run may have other settings.
  package struct Work: Hashable, Sendable {
    let kind: ScanKind
    let pass: Int
    let run: RunID

    package init(_ kind: ScanKind, pass: Int, run: RunID) {
      self.kind = kind
      self.pass = pass
      self.run = run
    }
  }

  private struct Lengths {
    private static let limit = 64

    private var latest: [Duration] = []
    private(set) var usual = Duration.zero
    /// The number of the last scan that was added, counted over all sorts of work.
    private(set) var lastScan = 0

    mutating func add(_ length: Duration, scan: Int) {
      lastScan = scan
      if latest.count == Self.limit { latest.removeFirst() }
      latest.append(length)
      let sorted = latest.sorted()
      usual = sorted[(sorted.count * 19 - 1) / 20]
    }
  }

  /// The most sorts of work that are told apart.
  private static let workLimit = 256

  /// When the process has to be gone.
  package let end: Instant
  /// When scans that still run are given up, so that the process is gone in time.
  package let deadline: Instant
  /// When a scan should have ended, so that its answer is out in time.
  private let lastAnswer: Instant
  /// When to leave if nothing is known of any work.
  private let departureUnknowing: Instant
  private var lengths: [Work: Lengths] = [:]
  private var scanCount = 0

  /// - Parameter drainTimeout: how long running scans of unknown length may take at the end.
  package init(from start: Instant, lasting duration: Duration, drainTimeout: Duration) {
    end = start + duration
    let reserve = min(.seconds(1), duration / 20)
    deadline = end - reserve / 2
    lastAnswer = end - reserve
    departureUnknowing = lastAnswer - min(drainTimeout, duration / 4)
  }

  package mutating func scanned(_ work: Work, in length: Duration) {
    if lengths[work] == nil, lengths.count >= Self.workLimit {
      let oldest = lengths.min { $0.value.lastScan < $1.value.lastScan }?.key
      if let oldest { lengths[oldest] = nil }
    }
    scanCount += 1
    lengths[work, default: Lengths()].add(length, scan: scanCount)
  }

  /// Whether a scan that starts now would usually be answered in time.
  ///
  /// - Parameter longestRunning: the time of the longest running scan of the same work.
  package func mayStart(
    _ work: Work, longestRunning: @autoclosure () -> Duration = .zero, at now: Instant
  ) -> Bool {
    now + (lengths[work]?.usual ?? longestRunning()) <= lastAnswer
  }

  /// When the process has to stop taking work: when nothing that it has scanned would be answered in time any more.
  package var departure: Instant {
    guard let shortest = lengths.values.map(\.usual).min() else { return departureUnknowing }
    return lastAnswer - shortest
  }
}
