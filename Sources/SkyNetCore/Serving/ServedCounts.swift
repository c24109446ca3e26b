/// How many scans ended for each client, by the names that people know.
///
/// Names are what peers say, and peers come and go: of those that were served longest ago only the
/// sum is kept.
package struct ServedCounts: Sendable {
  /// How many names are kept.
  package static let limit = 64
  /// What the others are called together.
  package static let others = "others"

  private struct Entry {
    var count: Int
    /// When it was served last, as a number that grows.
    var last: Int
  }

  private var entries: [String: Entry] = [:]
  private var forgotten = 0
  private var time = 0

  package init() {}

  /// A scan ended.
  package mutating func served(_ client: String) {
    time += 1
    // Looked up once: it is told of each scan.
    if let place = entries.index(forKey: client) {
      entries.values[place].count += 1
      entries.values[place].last = time
      return
    }
    if entries.count >= Self.limit { forgetOldest() }
    entries[client] = Entry(count: 1, last: time)
  }

  private mutating func forgetOldest() {
    guard let oldest = entries.min(by: { $0.value.last < $1.value.last }) else { return }
    forgotten += oldest.value.count
    entries[oldest.key] = nil
  }

  /// The counts by name; those of names that were forgotten together.
  package var byName: [String: Int] {
    var counts = entries.mapValues(\.count)
    if forgotten > 0 { counts[Self.others, default: 0] += forgotten }
    return counts
  }
}
