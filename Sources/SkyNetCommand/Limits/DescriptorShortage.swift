import SkyNetTransport

/// The limit on open files is lower than what the command needs.
struct DescriptorShortage: Error, CustomStringConvertible {
  /// How many files this process may have open at a time.
  let limit: Int
  /// How many the command needs, including those that are open already.
  let needed: Int

  /// For signals and timers, files that are written, and a few peers.
  private static let base = 16
  /// For simultaneous queries to the DNS-SD daemon, five descriptors each: a node registers itself
  /// and browses for others, and resolving one of them takes three more queries.
  private static let discovery = 27
  /// For the two connections of a journal, its lock and its log.
  private static let journal = 12

  var description: String {
    "at most \(limit) files may be open at a time, and the command needs \(needed): raise that limit "
      + "(`ulimit -n`)"
  }

  /// - Throws: `ExitCode`, after it has printed the error.
  static func check(hasDiscovery: Bool, hasJournal: Bool = false) throws {
    let more =
      EventLoops.descriptors + base + (hasDiscovery ? discovery : 0) + (hasJournal ? journal : 0)
    let (limit, left) = (Descriptors.limit, Descriptors.left(upTo: more))
    guard left >= more else {
      throw fail(DescriptorShortage(limit: limit, needed: limit - left + more))
    }
  }
}
