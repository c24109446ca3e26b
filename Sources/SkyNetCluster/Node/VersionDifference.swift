import SkyNetCore

/// What a node and a program of another version of SkyNet cannot do together, for the node's log. The program
/// tells its own user in its own words.
struct VersionDifference: Sendable, CustomStringConvertible {
  /// The program's name and the version of its software.
  private let client: String
  private let clientVersion: String
  /// The kinds of scan that the program has in a version that the node lacks, each with the node's version.
  private let kinds: [(theirs: ScanKind, ours: ScanKind)]

  /// - Returns: `nil` if the node offers each kind of scan that both know, in the program's version. A kind that
  ///   the node does not know at all is no question of versions: it may be meant for other nodes.
  init?(client: Hello, node: Hello) {
    let offered = Set(node.scans)
    kinds = client.scans.filter { !offered.contains($0) }.compactMap { theirs in
      let versions = node.scans.filter { $0.name == theirs.name }
      return versions.max { $0.version < $1.version }.map { (theirs, $0) }
    }
    guard !kinds.isEmpty else { return nil }
    self.client = client.name
    clientVersion = client.software
  }

  var description: String {
    let differences = kinds.map { "\($0.theirs), this node \($0.ours)" }
    return "\(client) gives this node none of its scans where versions differ: \(client) has "
      + differences.joined(separator: "; ") + " (SkyNet \(clientVersion) there, "
      + "\(SkyNetVersion.software) here)"
  }
}
