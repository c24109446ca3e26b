import ArgumentParser
import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery

/// How a command finds peers; the same for every command that connects to them.
struct PeerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Nodes to connect to beside those that are discovered: host:port, or the name of a service with \
      SRV records such as _skynet._tcp.scan.example, and more after commas. Every address of a name counts, and \
      names are looked up again and again. It may be given several times.
      """,
      valueName: "host:port,…"),
    transform: PeerOptions.references)
  var peers: [[PeerReference]] = []

  @Flag(help: "Do not look for nodes by DNS-SD.")
  var noDiscovery = false

  @Option(
    help: ArgumentHelp(
      """
      Look for nodes in this directory too, which nodes with the same option write to: one on a shared file \
      system.
      """, valueName: "dir"), completion: .directory)
  var rendezvous: String?

  func validate() throws {
    if rendezvous == "" {
      throw ValidationError("--rendezvous is empty, but a directory's name is needed")
    }
  }

  /// Whether no node can ever be found.
  var findNone: Bool { noDiscovery && rendezvous == nil && peers.allSatisfy(\.isEmpty) }

  /// The ways to find nodes.
  ///
  /// - Throws: `ExitCode`, after the reason was printed, if the directory of `--rendezvous` cannot be read.
  func discoveries() throws -> [any Discovery] {
    let named = peers.flatMap { $0 }
    let directory = try Self.directory(rendezvous, isNode: false)
    return (named.isEmpty ? [] : [NamedPeers(named)]) + (directory.map { [$0] } ?? [])
      + (noDiscovery ? [] : [DNSSD()])
  }

  /// The ways to be found by others that look for nodes in these ways.
  ///
  /// - Throws: `ExitCode`, after the reason was printed, if the directory of `--rendezvous` cannot be written.
  func advertisers() throws -> [any Advertiser] {
    try Self.ways(noDiscovery: noDiscovery, rendezvous: rendezvous)
  }

  /// The ways in which a node is found, and finds others.
  ///
  /// - Throws: `ExitCode`, after the reason was printed, if the directory cannot be written.
  static func ways(noDiscovery: Bool, rendezvous: String?) throws -> [any Advertiser & Discovery] {
    let directory = try directory(rendezvous, isNode: true)
    return (noDiscovery ? [] : [DNSSD()]) + (directory.map { [$0] } ?? [])
  }

  private static func directory(_ path: String?, isNode: Bool) throws -> Rendezvous? {
    let directory = path.map { Rendezvous($0, isNode: isNode) }
    do {
      try directory?.check(isWriting: isNode)
    } catch {
      throw fail(error)
    }
    return directory
  }

  static func references(_ list: String) throws -> [PeerReference] {
    try list.split(separator: ",", omittingEmptySubsequences: false).map { part in
      do throws(PeerReference.Fault) {
        return try PeerReference(part.trimmingCharacters(in: .whitespaces))
      } catch {
        throw ValidationError(error.description)
      }
    }
  }
}
