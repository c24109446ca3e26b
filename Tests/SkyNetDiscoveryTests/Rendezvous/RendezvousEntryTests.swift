import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetDiscovery

@Suite("Entries of a rendezvous directory")
struct RendezvousEntryTests {
  private static let advertisement = Advertisement(
    name: "a", port: 7777, slots: 4, incarnation: Incarnation(), protocolVersion: 1,
    fingerprints: ["cead000011112222"])

  private static let entry = RendezvousEntry(advertisement, at: ["10.0.0.5", "fd00::1"])

  private static func fault(_ change: (inout RendezvousEntry) -> Void) throws -> String? {
    var entry = entry
    change(&entry)
    do {
      _ = try RendezvousEntry(try entry.bytes, of: advertisement.incarnation)
      return nil
    } catch let error as RendezvousEntry.Fault {
      return error.description
    }
  }

  @Test("A node that holds several keys writes the fingerprints of all")
  func severalKeys() throws {
    var advertisement = Self.advertisement
    advertisement.fingerprints = ["f00d", "beef", "cead000011112222"]
    let entry = RendezvousEntry(advertisement, at: ["10.0.0.5"])
    let read = try RendezvousEntry(entry.bytes, of: advertisement.incarnation)
    #expect(read.peer.fingerprints == advertisement.fingerprints)
    #expect(try Self.fault { $0.keys = ["a b"] } == "a value in it is impossible")
    #expect(try Self.fault { $0.keys = Array(repeating: "a", count: 17) } != nil)
  }

  @Test("An entry is read as it was written, and leads to the node")
  func roundTrip() throws {
    let read = try RendezvousEntry(Self.entry.bytes, of: Self.advertisement.incarnation)
    #expect(read == Self.entry)
    #expect(
      read.peer
        == DiscoveredPeer(
          name: "a",
          endpoints: [
            Endpoint(host: "10.0.0.5", port: 7777), Endpoint(host: "fd00::1", port: 7777),
          ],
          incarnation: Self.advertisement.incarnation, slots: 4, protocolVersion: 1,
          fingerprints: ["cead000011112222"]))
  }

  @Test("A file's name leads to its node, and no other name does")
  func names() {
    let id = Self.advertisement.incarnation
    let name = RendezvousEntry.fileName(of: id)
    #expect(RendezvousEntry.incarnation(ofFile: name) == id)
    let draft = RendezvousEntry.temporaryName(of: id)
    #expect(RendezvousEntry.incarnation(ofTemporary: draft) == id)
    #expect(RendezvousEntry.incarnation(ofFile: draft) == nil)
    #expect(RendezvousEntry.temporaryName(of: id) != draft)
    // That of an earlier version.
    #expect(RendezvousEntry.incarnation(ofTemporary: ".\(name).new") == id)
    for other in [name.lowercased(), name + "~", "skynet-.json", "../\(name)", "notes.txt", ""] {
      #expect(RendezvousEntry.incarnation(ofFile: other) == nil)
      #expect(RendezvousEntry.incarnation(ofTemporary: other) == nil)
    }
  }

  @Test("An entry with impossible values is refused")
  func faults() throws {
    #expect(try Self.fault { _ in } == nil)
    #expect(try Self.fault { $0.skynet = 2 } == "its format is 2, not 1")
    #expect(
      try Self.fault { $0.incarnation = Incarnation() } == "its name is that of another node")
    for change: (inout RendezvousEntry) -> Void in [
      { $0.name = "" }, { $0.name = "a\u{1b}[2J" }, { $0.slots = -1 }, { $0.slots = 65_537 },
      { $0.keys = ["a b"] }, { $0.keys = [String(repeating: "a", count: 65)] },
    ] { #expect(try Self.fault(change) == "a value in it is impossible") }
    for endpoints in [
      [], ["host:7777"], ["10.0.0.5"], Array(repeating: "10.0.0.5:1", count: 65),
    ] {
      #expect(
        try Self.fault { $0.endpoints = endpoints }
          == "its endpoints are not addresses with ports")
    }
  }

  @Test("No cut of an entry is read")
  func cuts() throws {
    let bytes = try Self.entry.bytes
    for count in 0..<(bytes.count - 1) {
      #expect(throws: RendezvousEntry.Fault.self) {
        try RendezvousEntry(Array(bytes.prefix(count)), of: Self.advertisement.incarnation)
      }
    }
  }
}
