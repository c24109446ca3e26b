import Foundation
import SkyNetCore
import SkyNetJournal

/// A journal's overview, as text.
struct OverviewText {
  /// How many failures are listed one by one.
  static let listedFailures = 20

  /// What the run's parts are called.
  let words: RunWords

  func text(_ overview: Overview) -> String {
    (facts(overview) + progress(overview) + failedParts(overview) + failures(overview))
      .map { $0.showingControls + "\n" }.joined()
  }

  private func facts(_ overview: Overview) -> [String] {
    let rows =
      [("run", overview.run.short)] + overview.job.facts.map { ($0.name, $0.value) }
      + [("recorded since", "\(overview.created), by SkyNet \(overview.software)")]
      + [("started", starts(overview))]
    let width = rows.map(\.0.showingControls.columns).max() ?? 0
    return rows.map { $0.showingControls.padded(to: width) + "  " + $1 }
  }

  private func starts(_ overview: Overview) -> String {
    let count = overview.starts == 1 ? "once" : "\(overview.starts) times"
    let ends =
      switch (overview.starts, overview.deaths) {
      case (_, 0): ""
      case (1, _): ", and ended without a word (killed, or a crash)"
      default: "; \(overview.deaths) of the processes ended without a word (killed, or a crash)"
      }
    return count + ends + (overview.isInUse ? "; in use now" : "")
  }

  private func progress(_ overview: Overview) -> [String] {
    let progress = overview.progress
    // A sector that was never made fails with its part.
    let failed = progress.failed + progress.neverMade
    let left = max(0, progress.sectors - progress.done - failed)
    let width = overview.shares.map(\.system.showingControls.columns).max() ?? 0
    return [""] + (overview.parts.map { [text(of: $0)] } ?? []) + [
      "\(progress.done) of \(progress.sectors) sectors done, \(failed) failed, \(left) left",
      "\(overview.attempts) attempts begun, \(overview.failedAttempts) of them without a result",
    ]
      + overview.shares.map { share in
        let each = decimals(share.seconds / Double(max(1, share.completed)))
        return "  " + share.system.showingControls.padded(to: width)
          + "  \(share.completed) completed, \(each) s each"
      }
  }

  private func text(of parts: PartsOverview) -> String {
    "\(parts.done) of \(parts.count) \(words.part.many) done, \(parts.failed) failed, \(parts.open) open"
  }

  /// The parts that failed, also those whose sectors are listed below with their reasons.
  private func failedParts(_ overview: Overview) -> [String] {
    guard let parts = overview.parts, !parts.failures.isEmpty else { return [] }
    var lines = [""]
    for failure in parts.failures {
      let end = failure.outcome.state == .failed ? "failed" : "ended"
      let reason = failure.outcome.reason ?? ""
      // The reason why a part cannot be opened begins with its name.
      let text =
        reason.hasPrefix(failure.name) || reason.isEmpty ? reason : "\(failure.name): \(reason)"
      lines.append("\(end): \(text.isEmpty ? failure.name : text)")
    }
    let more = parts.failed - parts.failures.count
    if more > 0 { lines.append("and \(more) more \(words.part.many); --json prints all") }
    return lines
  }

  /// To the millisecond.
  private func decimals(_ seconds: Double) -> String {
    String(format: "%.3f", seconds)
  }

  private func failures(_ overview: Overview) -> [String] {
    guard !overview.failures.isEmpty else { return [] }
    var lines = [""]
    for failure in overview.failures {
      let pass = failure.task.pass > 0 ? " in pass \(failure.task.pass)" : ""
      let place = failure.place.map { " (sector \($0.sector) of \($0.name))" } ?? ""
      let head = "sector \(failure.task.sector)\(place)\(pass)"
      if failure.story.attempts == 0 {
        lines.append("\(head) was not scanned:")
        lines += failure.story.failures.map { "  \($0.reason)" }
      } else {
        lines.append("\(head) failed after \(failure.story.attempts) attempts:")
        lines += failure.story.failures.map { "  on \($0.system): \($0.reason)" }
      }
    }
    let more = overview.progress.failed - overview.failures.count
    if more > 0 { lines.append("and \(more) more; --json prints all") }
    return lines
  }
}
