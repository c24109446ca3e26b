package import SkyNetCore

/// What people see of one engagement of the cluster: what it told its nodes, however many of these passed it on.
package struct ClusterEngagement: Sendable, Identifiable {
  /// The most rates that are kept, one for each poll.
  package static let rateLimit = 60
  /// After this many seconds without another answer, a lower count is believed.
  private static let oldSeconds = 1.5

  package private(set) var summary: EngagementSummary
  /// When it was first seen.
  package let since: Double
  /// When a node last told of it.
  package private(set) var seen: Double
  /// How many of its scans run, by the system's name. Of each system only the scans that have run for longest
  /// are known, at most 64.
  package private(set) var running: [String: Int] = [:]
  /// Its latest rates, the latest last.
  package private(set) var rates: [Double] = []
  /// The systems that told of it last.
  var tellers: Set<Incarnation> = []

  init(_ summary: EngagementSummary, at time: Double) {
    self.summary = summary
    since = time
    seen = time
    rates = [summary.rate]
  }

  package var id: RunID { summary.run }
  /// The sectors with a result, and those that were given up.
  package var ended: Int { summary.completed + summary.failed }

  /// Takes what was told in a later poll.
  mutating func told(_ latest: EngagementSummary, at time: Double) {
    // An answer may be older than one of the poll before.
    if latest.completed + latest.failed >= ended || time - seen > Self.oldSeconds {
      summary = latest
    }
    seen = time
    if rates.count == Self.rateLimit { rates.removeFirst() }
    rates.append(summary.rate)
  }

  mutating func runs(_ running: [String: Int]) { self.running = running }
}

extension Sequence<EngagementSummary> {
  /// Each engagement once, as the node told it that heard of it last, by the client's name and its own.
  package var merged: [EngagementSummary] {
    var latest: [RunID: EngagementSummary] = [:]
    for summary in self {
      let known = latest[summary.run].map { $0.completed + $0.failed } ?? -1
      if summary.completed + summary.failed > known { latest[summary.run] = summary }
    }
    return latest.values.sorted {
      ($0.client, $0.name, $0.run.number) < ($1.client, $1.name, $1.run.number)
    }
  }
}

extension EngagementSummary {
  /// The share of ``steps`` that has ended, from 0 to 1.
  package var fraction: Double {
    let steps = steps
    return steps.total > 0 ? min(1, Double(steps.done + steps.failed) / Double(steps.total)) : 1
  }

  /// How many of what the progress counts have ended: the parts of a growing job, else sectors.
  package var steps: (total: Int, done: Int, failed: Int) {
    parts.map { ($0.total, $0.done, $0.failed) } ?? (sectors, completed, failed)
  }

  /// `41 of 300 inputs` that have ended, or `60 of 4000` sectors.
  var endedText: String { text(of: steps.done + steps.failed) }

  /// `41 of 300 inputs` that are done, or `60 of 4000` sectors.
  package var progressText: String { text(of: steps.done) }

  private func text(of count: Int) -> String {
    "\(count) of \(steps.total)" + (parts.map { " \($0.noun)" } ?? "")
  }
}
