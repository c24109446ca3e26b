import Foundation
import SkyNetCluster
import SkyNetCore

/// What a node writes into its file in a rendezvous directory.
///
/// Every account that may write there can write anything, so each value has bounds when it is read.
struct RendezvousEntry: Hashable, Codable {
  /// The version of this format: 1.
  var skynet = 1
  var name: String
  var incarnation: Incarnation
  var slots: Int
  /// The version of the protocol that the node speaks.
  var proto: Int
  /// The fingerprints of the keys that the node holds, newest first; empty if it does not encrypt.
  var keys: [String]
  /// Where the node listens, best first, as `address:port`. Addresses are literal.
  var endpoints: [String]
  /// Another number each time that the node renews the file.
  var beat: Int

  /// A file may have this many bytes.
  static let mostBytes = 16_384
  private static let mostEndpoints = 64
  private static let mostSlots = 65_536
  private static let mostKeys = 16

  struct Fault: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  init(_ advertisement: Advertisement, at addresses: [String]) {
    name = advertisement.name
    incarnation = advertisement.incarnation
    slots = advertisement.slots
    proto = advertisement.protocolVersion
    keys = advertisement.fingerprints
    endpoints = addresses.prefix(Self.mostEndpoints).map {
      Endpoint(host: $0, port: advertisement.port).description
    }
    beat = 0
  }

  /// Reads the content of the file of this incarnation.
  ///
  /// - Throws: ``Fault``, with what is wrong.
  init(_ bytes: [UInt8], of incarnation: Incarnation) throws(Fault) {
    do {
      self = try JSONDecoder().decode(RendezvousEntry.self, from: Data(bytes))
    } catch {
      throw Fault(description: "it is not what a node writes")
    }
    guard skynet == 1 else { throw Fault(description: "its format is \(skynet), not 1") }
    guard self.incarnation == incarnation else {
      throw Fault(description: "its name is that of another node")
    }
    guard (try? ServiceName.validate(name)) != nil, (0...Self.mostSlots).contains(slots),
      keys.count <= Self.mostKeys, keys.allSatisfy(Self.isFingerprint)
    else { throw Fault(description: "a value in it is impossible") }
    guard (1...Self.mostEndpoints).contains(endpoints.count),
      endpoints.allSatisfy({ Endpoint($0)?.hasLiteralHost == true })
    else { throw Fault(description: "its endpoints are not addresses with ports") }
  }

  /// The content of the file.
  var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
  }

  var peer: DiscoveredPeer {
    DiscoveredPeer(
      name: name, endpoints: endpoints.compactMap { Endpoint($0) }, incarnation: incarnation,
      slots: slots, protocolVersion: proto, fingerprints: keys)
  }

  private static func isFingerprint(_ text: String) -> Bool {
    text.utf8.count <= 64 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  // MARK: File names

  private static let (prefix, suffix) = ("skynet-", ".json")

  /// The name of a node's file. An incarnation is a UUID, so the name is no other node's, and leads nowhere else.
  static func fileName(of incarnation: Incarnation) -> String { "\(prefix)\(incarnation)\(suffix)" }

  /// A name under which the file is written, before it gets its own: another one each time. Where every account may
  /// make files, one that knew the name could take it for good.
  static func temporaryName(of incarnation: Incarnation) -> String {
    ".\(fileName(of: incarnation)).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).new"
  }

  /// Whose file has this name; `nil` if no node's.
  static func incarnation(ofFile name: String) -> Incarnation? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix),
      let incarnation = Incarnation(String(name.dropFirst(prefix.count).dropLast(suffix.count))),
      fileName(of: incarnation) == name
    else { return nil }
    return incarnation
  }

  /// Whose temporary file has this name; `nil` if no node's.
  static func incarnation(ofTemporary name: String) -> Incarnation? {
    guard name.hasPrefix("."), name.hasSuffix(".new"), let end = name.range(of: suffix)?.upperBound
    else { return nil }
    return incarnation(ofFile: String(name[..<end].dropFirst()))
  }
}
