import SkyNetJournal

/// The times of a journal, which are a wall clock's, as milliseconds from the run's beginning. Where the clock
/// was set back, a time before the beginning counts as the beginning.
struct ReportClock {
  /// A process, and when it is known to have been there.
  struct ProcessSpan {
    let number: Int
    let span: RunReport.Span
    /// The last time that it is known to have been there.
    let last: Int
  }

  /// Far more milliseconds than any run takes, some thirty years, so that sums of times do not overflow.
  private static let longest = 1_000_000_000_000.0

  /// Seconds since 1970.
  let origin: Double
  let length: Int
  let spans: [ProcessSpan]
  private let lastByProcess: [Int: Int]

  init(
    _ processes: [RunHistory.Process], _ extents: [RunHistory.Extent],
    _ changes: [RunHistory.Change]
  ) {
    var known: [Int: (first: Double, last: Double)] = [:]
    func note(_ process: Int, _ first: Double, _ last: Double) {
      let former = known[process] ?? (first, last)
      known[process] = (min(former.first, first), max(former.last, last))
    }
    for extent in extents { note(extent.process, extent.first, extent.last) }
    for change in changes { note(change.process, change.at, change.at) }
    // The dates of processes have whole seconds, so they count only where nothing better is known.
    for process in processes where known[process.number] == nil {
      if let started = process.started { note(process.number, started, process.ended ?? started) }
    }
    for process in processes {
      if let ended = process.ended, let span = known[process.number], ended > span.last {
        known[process.number]?.last = ended
      }
    }
    let origin = known.values.map(\.first).min() ?? 0
    self.origin = origin
    func time(_ seconds: Double) -> Int {
      Int(min(max(0, (seconds - origin) * 1000), Self.longest))
    }
    spans = processes.compactMap { process in
      guard let span = known[process.number] else { return nil }
      let last = time(span.last)
      return ProcessSpan(
        number: process.number,
        span: RunReport.Span(began: time(span.first), ended: process.ended.map { _ in last }),
        last: last)
    }
    lastByProcess = Dictionary(spans.map { ($0.number, $0.last) }) { first, _ in first }
    // Times are cut to milliseconds, so the last of them lies within the next one.
    length = (spans.map(\.last).max() ?? 0) + 1
  }

  func time(_ seconds: Double) -> Int {
    Int(min(max(0, (seconds - origin) * 1000), Double(length)))
  }

  /// The last time that a process is known to have been there.
  func last(ofProcess number: Int) -> Int { lastByProcess[number] ?? length }

  /// When an attempt ended; if the journal does not tell, when its process did.
  func end(of attempt: RunHistory.Attempt) -> Int {
    attempt.ended.map(time) ?? last(ofProcess: attempt.process)
  }
}
