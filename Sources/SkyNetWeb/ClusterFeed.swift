import Foundation
import SkyNetCluster
package import SkyNetCore
package import SkyNetViews
import Synchronization

/// What a page shows of a cluster, or of one node: its systems and engagements, once a second.
package final class ClusterFeed: PageFeed {
  package struct Cursor: Hashable, Sendable {
    var notices = 0
    /// The time of the last message, as the figures change with it.
    var time = 0.0
  }

  package let kind: String
  package let ticksBetweenMessages = 4
  package let beginning = Cursor()
  package let picture: PagePicture? = nil
  private let view: @Sendable () -> ClusterView
  private let isEnded = Mutex(false)

  /// - Parameters:
  ///   - kind: `cluster`, or `node` for one that shows itself.
  ///   - view: what is known now.
  package init(kind: String, view: @escaping @Sendable () -> ClusterView) {
    self.kind = kind
    self.view = view
  }

  package var words: RunWords { RunWords() }

  package func end() { isEnded.withLock { $0 = true } }

  package var isOver: Bool { isEnded.withLock { $0 } }

  package func cut() -> Cut<Cursor> {
    let now = Date.now.timeIntervalSince1970
    return Cut(
      cursor: Cursor(notices: view().notices.count, time: now), time: now, isLast: isOver)
  }

  package func events(after cursor: Cursor, until cut: Cut<Cursor>) -> EventBytes {
    let view = view()
    var events = EventBytes()
    events.add("cluster") { line in
      line.add(syntax: "{")
      line.add(key: "time", cut.time, isFirst: true)
      line.add(key: "systems")
      line.add(view.systems) { $1.write(to: &$0, at: cut.time) }
      line.add(key: "engagements")
      line.add(view.engagements) { $1.summary.write(to: &$0) }
      line.add(syntax: "}")
    }
    let notices = view.notices.latest(after: cursor.notices)
      .prefix { $0.number <= cut.cursor.notices }
    let lost = cut.cursor.notices - cursor.notices - notices.count
    if !notices.isEmpty || lost > 0 { events.add(notices, lost: lost) }
    return events
  }
}

extension ClusterSystem {
  fileprivate func write(to line: inout PlainJSON, at time: Double) {
    line.add(syntax: "{")
    line.add(key: "name", name, isFirst: true)
    line.add(key: "address", system.address)
    line.add(key: "slots", system.slots)
    line.add(key: "version", system.version)
    line.add(key: "state", condition.word)
    line.add(key: "note", condition.note(at: time))
    line.add(key: "running", running)
    line.add(key: "waiting", waiting)
    line.add(key: "done", done)
    line.add(key: "retried", retried)
    line.add(key: "load", load)
    line.add(key: "host", system.place.host)
    if let cores = status?.cores { line.add(key: "cores", cores) }
    if let memory = status?.memory {
      line.add(key: "memory")
      line.add(syntax: "{")
      line.add(key: "used", memory.used, isFirst: true)
      line.add(key: "total", memory.total)
      line.add(syntax: "}")
    }
    line.add(key: "history")
    line.add(numbers: history)
    line.add(key: "scans")
    line.add(status?.scans ?? []) { line, scan in
      line.add(syntax: "{")
      line.add(key: "sector", scan.sector, isFirst: true)
      line.add(key: "pass", scan.pass)
      line.add(key: "client", scan.client)
      line.add(key: "run", scan.run.description)
      line.add(key: "seconds", scan.seconds)
      line.add(syntax: "}")
    }
    line.add(syntax: "}")
  }

  /// The scans that ended per second, between each answer and the one before it, the latest last.
  private var history: [Int] {
    let rates = zip(samples, samples.dropFirst()).map { earlier, later in
      let seconds = max(0.1, later.time - earlier.time)
      return Int((Double(max(0, later.done - earlier.done)) / seconds).rounded())
    }
    return Array(repeating: 0, count: SystemRow.historySeconds - 1 - rates.count) + rates
  }
}

extension EngagementSummary {
  fileprivate func write(to line: inout PlainJSON) {
    line.add(syntax: "{")
    line.add(key: "run", run.description, isFirst: true)
    line.add(key: "name", name)
    line.add(key: "client", client)
    line.add(key: "sectors", sectors)
    line.add(key: "completed", completed)
    line.add(key: "failed", failed)
    line.add(key: "rate", rate)
    if let secondsLeft { line.add(key: "secondsLeft", secondsLeft) }
    if let pass { line.add(key: "pass", pass) }
    if let parts {
      line.add(key: "parts")
      line.add(syntax: "{")
      line.add(key: "total", parts.total, isFirst: true)
      line.add(key: "done", parts.done)
      line.add(key: "failed", parts.failed)
      line.add(key: "noun", parts.noun)
      line.add(syntax: "}")
    }
    line.add(syntax: "}")
  }
}
