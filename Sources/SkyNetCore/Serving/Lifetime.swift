/// Decides what a process that has to be gone at a given time may still begin, and when it has to leave.
///
/// It starts nothing whose usual length would not fit into the time that is left. What is usual, it learns from its
/// own scans: the length that 19 of the latest 20 did not exceed. Scans that it has not seen yet are started.
package struct Lifetime: Sendable {
  /// Scans that take about as long: those of one kind in one pass.
  package struct Work: Hashable, Sendable {
    let kind: ScanKind
    let pass: Int

    package init(_ kind: ScanKind, pass: Int) {
      self.kind = kind
      self.pass = pass
    }
  }

  /// The latest lengths of one sort of work.
  private struct Lengths {
    private static let limit = 64

    private var latest: [Duration] = []
    private var next = 0
    private(set) var usual = Duration.zero

    mutating func add(_ length: Duration) {
      if latest.count < Self.limit {
        latest.append(length)
      } else {
        latest[next] = length
        next = (next + 1) % Self.limit
      }
      let sorted = latest.sorted()
      usual = sorted[(sorted.count * 19 - 1) / 20]
    }
  }

  /// The most sorts of work that are told apart. Clients choose the passes.
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

  /// - Parameters:
  ///   - start: when the process began.
  ///   - duration: how long it lives.
  ///   - drainTimeout: how long running scans of unknown length may take at the end.
  package init(from start: Instant, lasting duration: Duration, drainTimeout: Duration) {
    end = start + duration
    let reserve = min(.seconds(1), duration / 20)
    deadline = end.advanced(by: .zero - reserve / 2)
    lastAnswer = end.advanced(by: .zero - reserve)
    departureUnknowing = lastAnswer.advanced(by: .zero - min(drainTimeout, duration / 4))
  }

  /// A scan was completed.
  package mutating func scanned(_ work: Work, in length: Duration) {
    guard lengths[work] != nil || lengths.count < Self.workLimit else { return }
    lengths[work, default: Lengths()].add(length)
  }

  /// Whether a scan that starts now would usually be answered in time.
  package func mayStart(_ work: Work, at now: Instant) -> Bool {
    now + (lengths[work]?.usual ?? .zero) <= lastAnswer
  }

  /// When the process has to stop taking work, as far as it knows now: when nothing that it has scanned would be
  /// answered in time any more.
  package var departure: Instant {
    guard let shortest = lengths.values.map(\.usual).min() else { return departureUnknowing }
    return lastAnswer.advanced(by: .zero - shortest)
  }
}
