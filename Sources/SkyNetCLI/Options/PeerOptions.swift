import ArgumentParser
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery

/// How a command finds peers; the same for every command that connects to them.
struct PeerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Nodes to connect to in addition to those that are discovered: host:port, or the name of a service with \
      SRV records such as _skynet._tcp.scan.example, and more after commas. Every address of a name counts, and \
      names are looked up again and again. It may be given several times.
      """,
      valueName: "host:port,…"),
    transform: PeerOptions.references)
  var peers: [[PeerReference]] = []

  @Flag(help: "Do not look for nodes by DNS-SD.")
  var noDiscovery = false

  /// Whether no node can ever be found.
  var findNone: Bool { noDiscovery && peers.allSatisfy(\.isEmpty) }

  var discoveries: [any Discovery] {
    let named = peers.flatMap { $0 }
    return (named.isEmpty ? [] : [NamedPeers(named)]) + (noDiscovery ? [] : [DNSSD()])
  }

  static func references(_ list: String) throws -> [PeerReference] {
    try list.split(separator: ",", omittingEmptySubsequences: false).map { part in
      do throws(PeerReference.Fault) {
        return try PeerReference(String(part))
      } catch {
        throw ValidationError(error.description)
      }
    }
  }
}
