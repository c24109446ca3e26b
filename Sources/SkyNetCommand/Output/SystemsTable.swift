import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// The output of `skynet systems`: the connected systems, and the status of each.
struct SystemsTable {
  /// How many clients of a system a table names.
  private static let mostClients = 3

  /// In the order in which they are shown.
  let systems: [RemoteSystem]
  /// The systems' statuses; a system that did not answer has none.
  let statuses: [Incarnation: SystemStatus]

  var text: String {
    guard !systems.isEmpty else {
      return
        "no systems found; start one with `\(Program.name) node`, or name one with --peers host:port\n"
    }
    let titles = [
      "NAME", "ADDRESS", "SLOTS", "VERSION", "RUNNING", "WAITING", "DONE", "RETRIED", "LOAD",
      "CLIENTS",
    ]
    let states = systems.map { Self.state(statuses[$0.incarnation]) }
    let caches = systems.map { Self.cache(statuses[$0.incarnation]) }
    // These columns are there when they tell something.
    let hasStates = states.contains { !$0.isEmpty }
    let hasCaches = caches.contains { !$0.isEmpty }
    let table = TextTable(
      columns: (titles + (hasCaches ? ["CACHE"] : []) + (hasStates ? ["STATE"] : [])).map {
        .init(title: $0)
      },
      rows: zip(systems, zip(caches, states)).map { system, last in
        let cells = [system.name, system.address, "\(system.slots)", system.version]
        return .init(
          cells: cells + Self.cells(statuses[system.incarnation])
            + (hasCaches ? [last.0] : []) + (hasStates ? [last.1] : []))
      })
    return table.lines().map { $0.text + "\n" }.joined() + engagements
  }

  /// The engagements that the systems hear of, as a second table; nothing if there is none.
  private var engagements: String {
    let all = statuses.values.flatMap(\.engagements).merged
    guard !all.isEmpty else { return "" }
    let lines = ClusterTables.engagements(all, hasBars: false, hasRuns: true).lines()
    return "\n" + lines.map { $0.text + "\n" }.joined()
  }

  private static func state(_ status: SystemStatus?) -> String {
    guard let status, status.isDraining else { return "" }
    return status.drainedBy.map { "drained by \($0)" } ?? "draining"
  }

  /// What the system keeps for later passes, and which part of what was asked for it had.
  private static func cache(_ status: SystemStatus?) -> String {
    guard let cache = status?.cache, cache.bytes + cache.hits + cache.misses > 0 else { return "" }
    let size = "\((cache.bytes + 524_288) / 1_048_576) MiB"
    let asked = cache.hits + cache.misses
    return asked == 0 ? size : "\(size), \(100 * cache.hits / asked)% hits"
  }

  private static func cells(_ status: SystemStatus?) -> [String] {
    guard let status else { return Array(repeating: "-", count: 6) }
    let counts = [status.running, status.waiting, status.done].map { "\($0.values.reduce(0, +))" }
    let load = status.load.map(ClusterTables.load) ?? "-"
    return counts + ["\(status.retried)", load, names(status.clients)]
  }

  private static func names(_ clients: [String]) -> String {
    let shown = clients.prefix(mostClients).joined(separator: ", ")
    return clients.count > mostClients ? "\(shown), and \(clients.count - mostClients) more" : shown
  }

  /// A JSON object for each system, one on a line. The members of a status are left out if the
  /// system did not answer.
  func lines() throws -> String {
    try systems.map { system in
      try LineJSON.text(Row(system, statuses[system.incarnation])) + "\n"
    }.joined()
  }

  private struct Row: Encodable {
    let name: String
    let address: String
    let slots: Int
    let version: String
    let scans: [ScanKind]
    let incarnation: Incarnation
    let running: [String: Int]?
    let waiting: [String: Int]?
    let done: [String: Int]?
    let retried: Int?
    let load: Double?
    /// The scans that run; `scans` are the kinds that the system offers.
    let scanning: [SystemStatus.RunningScan]?
    let engagements: [EngagementSummary]?
    /// Left out unless the system takes no new scans.
    let draining: Bool?
    let drainedBy: String?
    /// Left out if the system keeps nothing.
    let cache: CacheFigures?

    init(_ system: RemoteSystem, _ status: SystemStatus?) {
      name = system.name
      address = system.address
      slots = system.slots
      version = system.version
      scans = system.scans
      incarnation = system.incarnation
      running = status?.running
      waiting = status?.waiting
      done = status?.done
      retried = status?.retried
      load = status?.load
      scanning = status?.scans
      engagements = status?.engagements
      draining = status?.isDraining == true ? true : nil
      drainedBy = status?.drainedBy
      cache = status?.cache
    }
  }
}
