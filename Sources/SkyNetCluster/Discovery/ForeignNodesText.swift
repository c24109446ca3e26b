import SkyNetCore

/// What people are told of nodes of other clusters: which they are, and how to be in one cluster with them.
package struct ForeignNodesText: Sendable {
  private static let (mostNames, digits) = (3, 4)

  private let nodes: [ForeignNode]
  private let ownFingerprint: String?

  package init(_ nodes: [ForeignNode], ownFingerprint: String?) {
    self.nodes = nodes
    self.ownFingerprint = ownFingerprint
  }

  /// Who they are, such as `1 node of another cluster: other (key d8f2…, yours cead…)`.
  package var names: String {
    var clusters: [(fingerprint: String?, names: [String])] = []
    for node in nodes {
      if let known = clusters.firstIndex(where: { $0.fingerprint == node.fingerprint }) {
        clusters[known].names.append(node.name)
      } else {
        clusters.append((node.fingerprint, [node.name]))
      }
    }
    let count = nodes.count == 1 ? "1 node" : "\(nodes.count) nodes"
    let others = clusters.count == 1 ? "another cluster" : "\(clusters.count) other clusters"
    let parts = clusters.map { "\(listed($0.names)) (\(difference($0.fingerprint)))" }
    return "\(count) of \(others): \(parts.joined(separator: ", "))"
  }

  /// What would make it one cluster with the first of them: a command for each direction, and what it does.
  package var advice: [String] {
    guard let node = nodes.first else { return [] }
    guard node.fingerprint != nil else {
      return [
        "\(node.name) runs with --insecure: start it without, or this command with --insecure"
      ]
    }
    guard ownFingerprint != nil else {
      return ["\(node.name) has a key, and this command runs with --insecure: start it without"]
    }
    let place =
      node.account.map { "\($0.isOwn ? "with its key" : "as \($0.name)") on this machine" }
      ?? node.host.flatMap { Self.isPlain($0) ? "on \($0)" : nil } ?? "there"
    let it =
      switch nodes.count {
      case 1: "it"
      case _ where Self.isPlain(node.name): node.name
      default: "the first of them"
      }
    return [
      "to let \(it) in: run `\(ProgramName.text) invite` here, and the line that it prints \(place)",
      "to join \(it): run `\(ProgramName.text) invite` \(place), and the line that it prints here",
    ]
  }

  /// Everything, in lines and in one line; nothing if there is no such node.
  package var lines: [String] { nodes.isEmpty ? [] : [names] + advice }
  package var line: String { lines.joined(separator: "; ") }

  private func listed(_ names: [String]) -> String {
    let shown = names.prefix(Self.mostNames).joined(separator: ", ")
    return names.count > Self.mostNames
      ? "\(shown) and \(names.count - Self.mostNames) more" : shown
  }

  private func difference(_ fingerprint: String?) -> String {
    switch (fingerprint, ownFingerprint) {
    case (let theirs?, let own?): "key \(short(theirs)), yours \(short(own))"
    case (let theirs?, nil): "key \(short(theirs)), you have none"
    case (nil, let own?): "no encryption, your key \(short(own))"
    case (nil, nil): "no encryption"
    }
  }

  private func short(_ fingerprint: String) -> String {
    fingerprint.count > Self.digits ? "\(fingerprint.prefix(Self.digits))…" : fingerprint
  }

  /// Whether a name or an address, which came from the network, may be shown beside commands that people copy.
  private static func isPlain(_ host: String) -> Bool {
    !host.hasPrefix("-")
      && host.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789.:-_%".unicodeScalars.contains($0))
      }
  }
}
