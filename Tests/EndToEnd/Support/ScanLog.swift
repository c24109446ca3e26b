/// What nodes' logs tell of scans that ran to their end: lines like
/// `… debug: scanned (client lab, node a, sector 17)`.
struct ScanLog {
  /// How often each sector was scanned.
  private(set) var scans: [Int: Int] = [:]

  mutating func add(_ log: [String]) {
    for line in log where line.contains("debug: scanned") {
      if let sector = line.firstMatch(of: /\bsector[ =](\d+)/).flatMap({ Int($0.1) }) {
        scans[sector, default: 0] += 1
      }
    }
  }

  /// A coordinator's lines, which tell of its own system's scans.
  mutating func add(ownOf errors: [String]) {
    for line in errors {
      if let done = line.wholeMatch(of: /completed (\d+) by local/), let sector = Int(done.1) {
        scans[sector, default: 0] += 1
      }
    }
  }

  /// Sectors that were scanned more than once.
  var doubles: Int { scans.values.count { $0 > 1 } }
}
