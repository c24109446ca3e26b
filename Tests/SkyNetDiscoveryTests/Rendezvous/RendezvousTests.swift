import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetDiscovery

@Suite("A rendezvous directory", .timeLimit(.minutes(20)))
struct RendezvousTests {
  private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func withDirectory(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("rendezvous-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func advertisement(_ name: String) -> Advertisement {
    Advertisement(
      name: name, port: 7777, slots: 4, incarnation: Incarnation(), protocolVersion: 1)
  }

  @Test("A node is found at the address that it listens on, and is lost when it ends")
  func life() async throws {
    try await withDirectory { path in
      var node = advertisement("a")
      node.address = "10.0.0.5"
      var registered = AsyncStream<AdvertisementEvent>.Iterator?.none
      var found = Rendezvous(path, logger: quiet).events().makeAsyncIterator()
      do {
        let stream = Rendezvous(path, logger: quiet).advertise(node)
        registered = stream.makeAsyncIterator()
        #expect(await registered?.next() == .registered(name: "a"))
        guard case .found(let peer) = await found.next() else {
          Issue.record("the node was not found")
          return
        }
        #expect(peer.endpoints == [Endpoint(host: "10.0.0.5", port: 7777)])
        #expect(peer.incarnation == node.incarnation)
      }
      registered = nil
      guard case .lost = await found.next() else {
        Issue.record("the node was not lost")
        return
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(left.isEmpty)
    }
  }

  @Test("What is no node's file is skipped with its reason, and does no harm")
  func foreignFiles() async throws {
    try await withDirectory { path in
      let directory = RendezvousDirectory(path: path)
      let good = RendezvousEntry(advertisement("a"), at: ["10.0.0.5"])
      _ = try directory.write(good)
      func name() -> String { "\(path)/\(RendezvousEntry.fileName(of: Incarnation()))" }
      try Data("notes".utf8).write(to: URL(fileURLWithPath: path + "/notes.txt"))
      try Data("{".utf8).write(to: URL(fileURLWithPath: name()))
      try Data(count: 1 << 20).write(to: URL(fileURLWithPath: name()))
      #expect(mkfifo(name(), 0o600) == 0)
      #expect(symlink("/etc/passwd", name()) == 0)
      try FileManager.default.createDirectory(
        atPath: name(), withIntermediateDirectories: false)
      try Data().write(to: URL(fileURLWithPath: path + "/.nfs0001"))
      let content = try directory.read()
      #expect(content.entries.map(\.entry) == [good])
      #expect(
        Set(content.skipped.map(\.reason)) == [
          "its name is not that of a node's file", "it is not what a node writes",
          "it has 1048576 bytes, at most 16384 are read", "it is not a regular file",
          "too many levels of symbolic links",
        ])
      #expect(content.skipped.count == 6)
    }
  }

  @Test("What others have put under a name that they can foretell stops no node")
  func takenNames() async throws {
    try await withDirectory { path in
      let directory = RendezvousDirectory(path: path)
      let entry = RendezvousEntry(advertisement("a"), at: ["10.0.0.5"])
      let name = RendezvousEntry.fileName(of: entry.incarnation)
      _ = try directory.write(entry)
      // Folders, as the node cannot remove these, nor files of other accounts in a sticky directory.
      let seen = try FileManager.default.contentsOfDirectory(atPath: path)
      for taken in seen.map({ ".\($0).new" }) + [
        RendezvousEntry.temporaryName(of: entry.incarnation)
      ] {
        try FileManager.default.createDirectory(
          atPath: "\(path)/\(taken)", withIntermediateDirectories: false)
      }
      for beat in 1...3 {
        var entry = entry
        entry.beat = beat
        _ = try directory.write(entry)
        #expect(try directory.read().entries.map(\.entry.beat) == [beat])
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 3)
      #expect(try directory.writingTimes().keys.contains(name))
    }
  }

  @Test("A node that ends removes its drafts that are left, and those of no other node")
  func leftDrafts() async throws {
    try await withDirectory { path in
      let directory = RendezvousDirectory(path: path)
      let (own, other) = (Incarnation(), Incarnation())
      let names = [own, own, other].map(RendezvousEntry.temporaryName)
      for name in names + ["notes.new"] {
        try Data().write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      }
      #expect(try directory.writingTimes().keys.sorted() == names.sorted())
      directory.remove(own)
      let left = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(left.sorted() == [names[2], "notes.new"].sorted())
    }
  }

  @Test("A directory that is not there is reported once, and used when it is")
  func missing() async throws {
    try await withDirectory { path in
      let missing = path + "/later"
      var events = Rendezvous(missing, logger: quiet).events().makeAsyncIterator()
      let reason =
        "the rendezvous directory \(missing) is not there: make it, or name another one"
      #expect(await events.next() == .unavailable(reason: reason))
      #expect(throws: RendezvousError.self) {
        try Rendezvous(missing, logger: quiet).check(isWriting: false)
      }
      try FileManager.default.createDirectory(
        atPath: missing, withIntermediateDirectories: false)
      #expect(await events.next() == .available)
      try Rendezvous(missing, logger: quiet).check(isWriting: true)
    }
  }

  @Test("This machine's addresses are literal, and there is one")
  func addresses() {
    #expect(!MachineAddresses.all.isEmpty)
    #expect(MachineAddresses.all.allSatisfy { Endpoint(host: $0, port: 1).hasLiteralHost })
  }

  @Test(
    "The address with the way out comes first, then IPv4; those of a link or of the machine come if alone"
  )
  func orderOfAddresses() throws {
    func address(_ bytes: [UInt8]) throws -> PeerAddress {
      try #require(PeerAddress(bytes: bytes, interfaceName: "eth0"))
    }
    func zeros(_ beginning: [UInt8], _ last: UInt8) throws -> PeerAddress {
      try address(beginning + [UInt8](repeating: 0, count: 15 - beginning.count) + [last])
    }
    let alone = [try address([127, 0, 0, 1]), try zeros([], 1)]
    let link = try alone + [zeros([0xFE, 0x80], 1), address([169, 254, 1, 1])]
    let routed = try address([172, 17, 0, 1])
    let all = try link + [zeros([0x20, 1, 0x0D, 0xB8], 5), routed, address([10, 0, 0, 5])]
    #expect(
      MachineAddresses.ordered(all, routed: routed) == ["172.17.0.1", "10.0.0.5", "2001:db8::5"])
    #expect(
      MachineAddresses.ordered(all, routed: nil) == ["10.0.0.5", "172.17.0.1", "2001:db8::5"])
    #expect(MachineAddresses.ordered(link, routed: nil) == ["169.254.1.1", "fe80::1"])
    #expect(MachineAddresses.ordered(alone, routed: nil) == ["127.0.0.1", "::1"])
    #expect(MachineAddresses.ordered([], routed: nil) == [])
  }
}
