import SkyNetCluster
import SkyNetCore

/// A node's panel: its scans by client, as lines of text.
enum NodeView {
  /// How many running scans are listed one by one.
  private static let listedScans = 16

  static func lines(_ status: ServingStatus) -> [String] {
    let waiting = status.waiting.values.reduce(0, +)
    let done = status.done.values.reduce(0, +)
    let running = status.running.count
    var lines = ["\(running) of \(status.slots) slots busy, \(waiting) waiting, \(done) done"]
    for scan in status.running.prefix(listedScans) {
      lines.append("  sector \(scan.task.sector) for \(scan.client), \(scan.elapsed.inTenths) s")
    }
    if status.running.count > listedScans {
      lines.append("  and \(status.running.count - listedScans) more")
    }
    for client in Set(status.waiting.keys).union(status.done.keys).sorted() {
      lines.append(
        "for \(client): \(status.waiting[client] ?? 0) waiting, \(status.done[client] ?? 0) done")
    }
    return lines
  }
}
