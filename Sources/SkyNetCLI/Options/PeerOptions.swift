import ArgumentParser
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery

/// How a command finds peers; the same for every command that connects to them.
struct PeerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Nodes to connect to in addition to those that are discovered: host:port,… It may be given several "
        + "times.",
      valueName: "host:port,…"),
    transform: PeerOptions.endpoints)
  var peers: [[Endpoint]] = []

  @Flag(help: "Do not look for nodes by DNS-SD.")
  var noDiscovery = false

  /// Whether no node can ever be found.
  var findNone: Bool { noDiscovery && peers.allSatisfy(\.isEmpty) }

  var discoveries: [any Discovery] {
    let fixed = peers.flatMap { $0 }
    return (fixed.isEmpty ? [] : [FixedPeers(fixed)]) + (noDiscovery ? [] : [DNSSD()])
  }

  private static func endpoints(_ list: String) throws -> [Endpoint] {
    try list.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let endpoint = Endpoint(String(part)) else {
        throw ValidationError(
          "\"\(part)\" is not host:port with a port from 1 to 65535, such as 192.168.1.5:7777")
      }
      return endpoint
    }
  }
}
