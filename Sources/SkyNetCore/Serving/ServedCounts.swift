/// The number of scans that ended for each client, by the client's name.
///
/// Peers choose their names, and come and go. Of the clients that were served longest ago only the
/// sum is kept.
package struct ServedCounts: Sendable {
  package static let limit = 64
  /// The name under which all other clients are counted together.
  package static let others = "others"

  private struct Entry {
    var count: Int
    /// When the client was served last, as a number that grows.
    var last: Int
  }

  private var entries: [String: Entry] = [:]
  private var forgotten = 0
  private var servings = 0

  package init() {}

  package mutating func served(_ client: String) {
    servings += 1
    // One lookup suffices, as this runs for every scan.
    if let place = entries.index(forKey: client) {
      entries.values[place].count += 1
      entries.values[place].last = servings
      return
    }
    if entries.count >= Self.limit,
      let oldest = entries.min(by: { $0.value.last < $1.value.last })
    {
      forgotten += oldest.value.count
      entries[oldest.key] = nil
    }
    entries[client] = Entry(count: 1, last: servings)
  }

  /// The counts by name. Forgotten names are counted together under ``others``.
  package var byName: [String: Int] {
    var counts = entries.mapValues(\.count)
    if forgotten > 0 { counts[Self.others, default: 0] += forgotten }
    return counts
  }
}
