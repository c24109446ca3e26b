import SkyNetCore
import SkyNetJournal

/// What the sums say of the run.
extension ReportFigures {
  private static let systemLimit = 100
  private static let reasonLimit = 20
  private static let sentenceLimit = 8

  func summary(of report: RunReport) -> RunReport.Summary {
    var summary = RunReport.Summary()
    summary.makespan = clock.spans.reduce(0) { $0 + max(0, $1.last - $1.span.began) }
    summary.slowestSectors = slowest
    summary.retries = retries
    summary.reasons = reasonCounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .prefix(Self.reasonLimit).map { .init(reason: $0.key, count: $0.value) }
    let all = systems.enumerated().filter { $1.present > 0 || $1.busy > 0 || $1.tasks > 0 }
      .map { figures(of: $0, $1) }
    summary.systems = Array(
      all.sorted { ($1.mean, $0.system) < ($0.mean, $1.system) }.prefix(Self.systemLimit))
    summary.busy = milliseconds(systems.reduce(0) { $0 + $1.busy })
    let useful = systems.reduce(0) { $0 + $1.useful }
    summary.wasted = max(0, summary.busy - milliseconds(useful))
    summary.idle = all.reduce(0) { $0 + $1.idle }
    setIdeal(of: &summary, useful: useful)
    summary.reading = reading(of: report, summary)
    return summary
  }

  private func figures(
    of system: Int, _ sums: SystemSums
  ) -> RunReport.Summary.SystemFigures {
    let busy = milliseconds(sums.busy)
    return .init(
      system: system, tasks: sums.tasks, retried: sums.retried, lost: sums.lost,
      mean: sums.tasks > 0 ? milliseconds(sums.useful / Double(sums.tasks)) : 0,
      slowest: milliseconds(sums.slowest), busy: busy,
      idle: max(0, Int(sums.capacity) - busy), present: sums.present)
  }

  private func milliseconds(_ seconds: Double) -> Int { Int(min(seconds * 1000, 1e15)) }

  private func setIdeal(of summary: inout RunReport.Summary, useful: Double) {
    let capacity = systems.reduce(0) { $0 + $1.capacity }
    let slots = capacity / Double(max(1, summary.makespan))
    let longest = slowest.first?.took ?? 0
    guard slots > 0 else {
      summary.ideal = min(max(longest, milliseconds(useful)), summary.makespan)
      summary.idealText = "all scans that brought outputs, one after the other"
      return
    }
    let spread = milliseconds(useful / slots)
    let areKnown = systems.allSatisfy { $0.unknown == 0 }
    if longest > spread {
      summary.ideal = min(longest, summary.makespan)
      summary.idealText = "the longest scan alone: no number of slots makes the run shorter"
    } else {
      summary.ideal = min(spread, summary.makespan)
      summary.idealText =
        "the \(seconds(milliseconds(useful))) of scans that brought outputs, spread evenly over "
        + (areKnown
          ? "the \(decimal(slots)) slots that were there on average"
          : "the \(decimal(slots)) slots that were busy on average (the journal does not tell how "
            + "many there were)")
    }
  }

  // MARK: Sentences

  /// Each sentence with the milliseconds of the run that it accounts for, roughly; the largest come first.
  private func reading(
    of report: RunReport, _ summary: RunReport.Summary
  ) -> [String] {
    let sentences = [
      pauses(report), waste(report, summary), tail(summary), slowSystem(report, summary),
      idle(report, summary), slowSector(report, summary), unfinished(report),
      departures(report, summary),
    ].compactMap { $0 }
    return sentences.sorted { $0.cost > $1.cost }.prefix(Self.sentenceLimit).map(\.text)
  }

  private typealias Sentence = (cost: Int, text: String)

  private func pauses(_ report: RunReport) -> Sentence? {
    guard clock.spans.count > 1 else { return nil }
    let gap = max(
      0, clock.length - clock.spans.reduce(0) { $0 + max(0, $1.last - $1.span.began) })
    return (
      gap,
      "The run was begun \(clock.spans.count) times; between its processes, nothing was scanned for "
        + "\(seconds(gap))."
    )
  }

  private func waste(_ report: RunReport, _ summary: RunReport.Summary) -> Sentence? {
    let lost = systems.reduce(0) { $0 + $1.lost }
    guard broken > 0 else { return nil }
    var text =
      "\(count(broken, "attempt")) ended without an output, \(lost) of them with their systems"
      + "; such attempts and those that were withdrawn cost \(seconds(summary.wasted)) of scans "
      + "(\(percent(summary.wasted, of: summary.busy)))"
    if let most = summary.reasons.first {
      text +=
        ". The most frequent reason: \(report.reasons[most.reason]) (\(count(most.count, "time")))"
    }
    let slots = systems.reduce(0) { $0 + $1.capacity } / Double(max(1, summary.makespan))
    return (Int(Double(summary.wasted) / max(1, slots)), text + ".")
  }

  /// How long the last twentieth of the sectors took.
  private func tail(_ summary: RunReport.Summary) -> Sentence? {
    let total = ends.reduce(0, +)
    guard total >= 20, clock.length > 0 else { return nil }
    var (sum, bucket) = (0, 0)
    while bucket < ends.count - 1, (sum + ends[bucket]) * 20 < total * 19 {
      sum += ends[bucket]
      bucket += 1
    }
    let start = bucket * clock.length / (ends.count - 1)
    // The time between processes does not count.
    let rest = clock.spans.reduce(0) { $0 + max(0, $1.last - max($1.span.began, start)) }
    guard rest * 10 > summary.makespan else { return nil }
    return (
      rest - summary.makespan / 20,
      "The last twentieth of the sectors took \(seconds(rest)), "
        + "\(percent(rest, of: summary.makespan)) of the time: slow scans that begin late hold up the end."
    )
  }

  private func slowSystem(_ report: RunReport, _ summary: RunReport.Summary) -> Sentence? {
    let scanned = summary.systems.filter { $0.tasks >= 3 }
    guard scanned.count > 1, let slowest = scanned.first else { return nil }
    let others = scanned.dropFirst()
    let mean =
      others.reduce(0) { $0 + $1.mean * $1.tasks } / max(1, others.reduce(0) { $0 + $1.tasks })
    guard mean > 0, slowest.mean * 2 > mean * 3 else { return nil }
    return (
      (slowest.mean - mean) * slowest.tasks / max(1, scanned.count),
      "\(report.systems[slowest.system].name) was the slowest system: \(seconds(slowest.mean)) a scan, "
        + "\(decimal(Double(slowest.mean) / Double(mean))) times as long as the others."
    )
  }

  private func idle(_ report: RunReport, _ summary: RunReport.Summary) -> Sentence? {
    let all = summary.idle + summary.busy
    guard summary.idle * 10 > all else { return nil }
    let slots = systems.reduce(0) { $0 + $1.capacity } / Double(max(1, summary.makespan))
    var text =
      "Slots stood empty for \(percent(summary.idle, of: all)) of the time that they were there"
    if let most = summary.systems.max(by: { $0.idle < $1.idle }), summary.systems.count > 1 {
      text += ", most of them on \(report.systems[most.system].name)"
    }
    return (Int(Double(summary.idle) / max(1, slots)), text + ".")
  }

  private func slowSector(_ report: RunReport, _ summary: RunReport.Summary) -> Sentence? {
    guard let slow = summary.slowestSectors.first else { return nil }
    let tasks = systems.reduce(0) { $0 + $1.tasks }
    let mean = milliseconds(systems.reduce(0) { $0 + $1.useful } / Double(max(1, tasks)))
    guard mean > 0, slow.took > 3 * mean else { return nil }
    return (
      slow.took - mean,
      "Sector \(report.named(slow.task.sector)) was the slowest: \(seconds(slow.took)) on "
        + "\(report.systems[slow.system].name), \(decimal(Double(slow.took) / Double(mean))) times "
        + "the mean."
    )
  }

  /// Systems that went and did not come back.
  private func departures(_ report: RunReport, _ summary: RunReport.Summary) -> Sentence? {
    let gone = report.systems.compactMap { system in
      let last = system.changes.last { ["connected", "disconnected"].contains($0.word) }
      return last.flatMap { $0.word == "disconnected" ? (system, $0) : nil }
    }
    guard let first = gone.min(by: { $0.1.at < $1.1.at }) else { return nil }
    let slots = systems.reduce(0) { $0 + $1.capacity } / Double(max(1, summary.makespan))
    let lost = gone.reduce(0.0) {
      $0 + Double((clock.length - $1.1.at) * min($1.0.slots ?? 1, 100_000))
    }
    let others = gone.count > 1 ? " \(count(gone.count, "system")) went in all." : ""
    return (
      Int(lost / max(1, slots)),
      "\(first.0.name) went after \(seconds(first.1.at)) and did not come back"
        + (first.1.note.isEmpty ? "." : " (\(first.1.note)).") + others
    )
  }

  private func unfinished(_ report: RunReport) -> Sentence? {
    let left = report.sectorCount - report.completed - report.failed
    guard left > 0 else { return nil }
    return (
      clock.length,
      "\(count(left, "sector")) of \(report.sectorCount) have neither a result nor failed: the run "
        + "\(report.end == "interrupted" ? "was interrupted" : "was killed, or still goes on")."
    )
  }

  // MARK: Words

  private func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  private func percent(_ part: Int, of whole: Int) -> String {
    "\(Int((100 * Double(part) / Double(max(1, whole))).rounded()))%"
  }

  private func seconds(_ milliseconds: Int) -> String { RunReport.seconds(milliseconds) }

  private func decimal(_ number: Double) -> String { RunReport.decimal(number) }
}

extension RunReport {
  /// Milliseconds as seconds with as many digits as are of interest: `0.013 s`, `7.25 s`, `312.4 s`.
  static func seconds(_ milliseconds: Int) -> String {
    let seconds = Double(milliseconds) / 1000
    let places = milliseconds < 1000 ? 3 : milliseconds < 100_000 ? 2 : 1
    return "\(decimal(seconds, places: places)) s"
  }

  /// A number with this many decimal places.
  static func decimal(_ number: Double, places: Int = 1) -> String {
    guard number.isFinite, abs(number) < 1e12 else { return "many" }
    let factor = [1, 10, 100, 1000][places]
    let scaled = Int((number * Double(factor)).rounded())
    guard places > 0 else { return "\(scaled)" }
    let rest = "\(scaled % factor)"
    return "\(scaled / factor)." + String(repeating: "0", count: places - rest.count) + rest
  }
}
