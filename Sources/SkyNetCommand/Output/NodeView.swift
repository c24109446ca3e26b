import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// A node's screen: the clients that it scans for, how busy it is, how far the clients' engagements are, the nodes
/// near, and the last lines of its log.
struct NodeView {
  /// How many running scans are listed one by one.
  private static let listedScans = 8
  /// How many clients a line names.
  private static let namedClients = 4
  private static let barColumns = 16
  /// The least room in which the pass of an engagement is shown.
  private static let leastPassColumns = 10
  /// What moves while the node scans for others.
  private static let movement = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
  /// How many lines of the log there are at most, and at least where the window has some rows.
  private static let (mostLog, leastLog, rowsForLog) = (12, 3, 10)

  let status: ServingStatus
  /// The names of the programs that are connected.
  let clients: [String]
  let engagements: [EngagementSummary]
  /// The number of this picture among those that follow each other.
  let frame: Int
  /// The names of the other nodes that are there.
  var nearby: [String] = []
  /// The last lines of the log, the newest one last.
  var log: [LogTail.Line] = []

  /// The lines, the most important ones first, and the log below them.
  ///
  /// - Parameter rows: how many lines there may be.
  func lines(columns: Int, rows: Int = .max) -> [StyledText] {
    let body =
      [movingLine] + [StyledText(bars: slots(columns))]
      + [StyledText(connections, clients.isEmpty ? .faint : .good)]
      + (nearby.isEmpty ? [] : [StyledText(near)])
      + engagements.map { StyledText(bars: engagement($0, columns)) }
      + scans.map { StyledText($0, .faint) } + perClient.map { StyledText($0) }
    let reserved = rows >= Self.rowsForLog ? min(log.count, Self.leastLog) : 0
    let shown = Self.fitted(body, rows: rows - reserved)
    let logged = log.suffix(max(0, min(Self.mostLog, rows - shown.count)))
    return (shown + logged.map { $0.styled(columns: columns) }).map { $0.cutAtWord(to: columns) }
  }

  /// What a person reads when the node has ended: for whom it scanned.
  static func lastWords(_ status: ServingStatus, columns: Int) -> StyledText {
    let done = status.done.values.reduce(0, +)
    guard done > 0 else { return StyledText("nothing was scanned", .faint) }
    let clients = mostFirst(status.done.filter { $0.value > 0 }).map(\.key)
    let text =
      "✓ \(done) scan\(done == 1 ? "" : "s") done for \(named(clients)), "
      + "\(status.retried) retried"
    return StyledText(text.cutAtWord(to: columns), .good)
  }

  private static func fitted(_ lines: [StyledText], rows: Int) -> [StyledText] {
    guard lines.count > rows, rows > 1 else { return Array(lines.prefix(max(0, rows))) }
    let kept = max(0, rows - 1)
    return lines.prefix(kept) + [StyledText("  and \(lines.count - kept) more", .faint)]
  }

  /// The first line. What moves in it has a colour.
  private var movingLine: StyledText {
    let text = scanning
    guard !status.running.isEmpty else {
      return StyledText(text, status.drainReason == nil ? .faint : .doubtful)
    }
    return StyledText(String(text.prefix(1)), .good) + StyledText(String(text.dropFirst()))
  }

  private var near: String { "nodes near: \(Self.named(nearby))" }

  /// Clients with their counts, those with the most first.
  private static func mostFirst(_ counts: [String: Int]) -> [(key: String, value: Int)] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }

  /// The first names of a list, and how many more there are.
  private static func named(_ names: [String]) -> String {
    let more = names.count - namedClients
    return names.prefix(namedClients).joined(separator: ", ")
      + (more > 0 ? ", and \(more) more" : "")
  }

  private var scanning: String {
    var counts: [String: Int] = [:]
    for scan in status.running { counts[scan.client, default: 0] += 1 }
    let most = Self.mostFirst(counts)
    let drained = drained
    guard let first = most.first else { return "· " + (drained ?? "nothing to scan") }
    let others = most.dropFirst().prefix(Self.namedClients - 1)
    let more = most.count - 1 - others.count
    let sectors = "\(first.value) sector\(first.value == 1 ? "" : "s")"
    return "\(Self.movement[frame % Self.movement.count]) scanning \(sectors) for \(first.key)"
      + others.map { ", \($0.value) for \($0.key)" }.joined()
      + (more > 0 ? ", and for \(more) more" : "") + (drained.map { "; \($0)" } ?? "")
  }

  /// Why it takes nothing new, if it does not.
  private var drained: String? {
    status.drainReason.map { reason in
      reason.client.map { "drained by \($0): takes nothing new" } ?? "stopping"
    }
  }

  private func slots(_ columns: Int) -> String {
    let running = status.running.count
    let waiting = status.waiting.values.reduce(0, +)
    let done = status.done.values.reduce(0, +)
    let bar = Figures.bar(Double(running) / Double(max(1, status.slots)), columns: Self.barColumns)
    return (columns >= 72 ? "\(bar)  " : "")
      + "\(running) of \(status.slots) slots busy, \(waiting) waiting, \(done) done, "
      + "\(status.retried) retried"
  }

  private var connections: String {
    clients.isEmpty ? "no program is connected" : "connected: \(Self.named(clients))"
  }

  private func engagement(_ engagement: EngagementSummary, _ columns: Int) -> String {
    let bar =
      columns >= 72 ? Figures.bar(engagement.fraction, columns: Self.barColumns) + "  " : ""
    let left = engagement.secondsLeft.map { ", \(FigureText.time($0)) left" } ?? ""
    let text =
      bar + "\(engagement.name) of \(engagement.client): "
      + engagement.progressText
      + (engagement.steps.failed > 0 ? ", \(engagement.steps.failed) failed" : "") + left
    guard let pass = engagement.pass else { return text }
    // Of a path the end tells most.
    let room = columns - text.columns - 2
    return room >= Self.leastPassColumns
      ? "\(text), \(engagement.parts == nil ? pass : pass.cutAtStart(to: room))" : text
  }

  private var scans: [String] {
    let listed = status.running.prefix(Self.listedScans).map { scan in
      "  sector \(scan.task.sector) for \(scan.client), \(scan.elapsed.inTenths) s"
    }
    let more = status.running.count - Self.listedScans
    return listed + (more > 0 ? ["  and \(more) more"] : [])
  }

  private var perClient: [String] {
    Set(status.waiting.keys).union(status.done.keys).sorted().map { client in
      "for \(client): \(status.waiting[client] ?? 0) waiting, \(status.done[client] ?? 0) done"
    }
  }
}
