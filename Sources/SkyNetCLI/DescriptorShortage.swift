import SkyNetTransport

/// There are fewer descriptors than a command cannot do without.
struct DescriptorShortage: Error, CustomStringConvertible {
  /// How many files may be open at a time.
  let limit: Int
  /// How many have to be, with those that are.
  let needed: Int

  /// For signals and timers, files that are written, and a few peers.
  private static let base = 16
  /// For what is asked of the daemon at a time, five each: a node asks to be announced and for others,
  /// and how to reach one of them is three questions more.
  private static let discovery = 27
  /// For the two connections of a journal, its lock and its log.
  private static let journal = 12

  var description: String {
    "at most \(limit) files may be open at a time, and it takes \(needed): raise that limit "
      + "(`ulimit -n`)"
  }

  /// - Throws: `ExitCode`, when it has said so.
  static func check(hasDiscovery: Bool, hasJournal: Bool = false) throws {
    let more =
      EventLoops.descriptors + base + (hasDiscovery ? discovery : 0) + (hasJournal ? journal : 0)
    let (limit, left) = (Descriptors.limit, Descriptors.left(upTo: more))
    guard left >= more else {
      throw fail(DescriptorShortage(limit: limit, needed: limit - left + more))
    }
  }
}
