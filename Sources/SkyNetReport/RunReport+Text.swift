import SkyNetCore
import SkyNetJournal

extension RunReport {
  /// The summary as lines of text.
  package var lines: [String] {
    var lines = [
      "\(name): \(completed) of \(sectorCount) sectors, \(failed) failed, \(retried) retried, "
        + "\(hedged) hedged; \(end)",
      "makespan  \(Self.seconds(summary.makespan))",
      "ideal     \(Self.seconds(summary.ideal)): \(summary.idealText)",
    ]
    if let parts = partsOverview {
      let name = scene.words.part.many
      lines.insert(
        name + String(repeating: " ", count: max(1, 10 - name.count))
          + "\(parts.done) of \(parts.count) done, \(parts.failed) failed, \(parts.open) open",
        at: 1)
    }
    let busiest = summary.systems.max { ($0.tasks, $1.system) < ($1.tasks, $0.system) }
    if let busiest, busiest.tasks > 0 {
      lines.append(
        "busiest   \(systems[busiest.system].name): \(busiest.tasks) tasks, "
          + "\(Self.seconds(busiest.mean)) each")
    }
    if let slowest = summary.systems.first(where: { $0.tasks > 0 }), summary.systems.count > 1 {
      lines.append(
        "slowest   \(systems[slowest.system].name): \(Self.seconds(slowest.mean)) a task on average, "
          + "\(Self.seconds(slowest.slowest)) at most")
    }
    if let slow = summary.slowestSectors.first {
      lines.append(
        "slowest   sector \(named(slow.task.sector))"
          + (slow.task.pass > 0 ? " in pass \(slow.task.pass)" : "")
          + ": \(Self.seconds(slow.took)) on \(systems[slow.system].name)")
    }
    if let retry = summary.retries.first {
      lines.append(
        "retries   \(retried); most for sector \(named(retry.task.sector)): \(retry.attempts) attempts"
          + (retry.isDone ? "" : ", without a result"))
    }
    return lines + summary.reading
  }

  /// A sector's number, and which of its part's sectors it is.
  func named(_ sector: Int) -> String {
    "\(sector)" + (places[sector].map { " (sector \($0.sector) of \($0.name.cut))" } ?? "")
  }
}
