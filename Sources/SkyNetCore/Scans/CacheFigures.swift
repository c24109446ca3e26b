/// What a scan keeps on its system for later tasks, and how often that had what was asked for.
package struct CacheFigures: Hashable, Sendable, Codable {
  package let bytes: Int
  /// The most bytes that are kept.
  package let capacity: Int
  /// How often something was there that a task asked for, since the system began.
  package let hits: Int
  /// How often it was not there.
  package let misses: Int

  package init(bytes: Int, capacity: Int, hits: Int, misses: Int) {
    (self.bytes, self.capacity, self.hits, self.misses) = (bytes, capacity, hits, misses)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    capacity = try container.decodeCount(atMost: 1 << 50, forKey: .capacity)
    bytes = try container.decodeCount(atMost: capacity, forKey: .bytes)
    hits = try container.decodeCount(forKey: .hits)
    misses = try container.decodeCount(forKey: .misses)
  }
}

/// A scan that keeps data of its tasks for later ones. Its system tells how that goes.
package protocol CachingScan: Scan {
  /// `nil` if this scan keeps nothing.
  var cacheFigures: CacheFigures? { get }

  /// Frees what is kept. The system calls this method when its last client has left.
  func dropCache()
}
