/// Counts the scans that ran to their end, from log lines like `… debug: scanned (client lab, node
/// a, sector 17)`.
struct ScanLog {
  /// How many times each sector was scanned.
  private(set) var scans: [Int: Int] = [:]

  mutating func add(_ log: [String]) {
    for line in log where line.contains("debug: scanned") {
      if let sector = line.firstMatch(of: /\bsector[ =](\d+)/).flatMap({ Int($0.1) }) {
        scans[sector, default: 0] += 1
      }
    }
  }

  /// Adds a coordinator's lines about its local system's scans.
  mutating func add(ownOf errors: [String]) {
    for line in errors {
      if let done = line.wholeMatch(of: /completed (\d+) by local/), let sector = Int(done.1) {
        scans[sector, default: 0] += 1
      }
    }
  }

  /// How many sectors were scanned more than once.
  var doubles: Int { scans.values.count { $0 > 1 } }
}
