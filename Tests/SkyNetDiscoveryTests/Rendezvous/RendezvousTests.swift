import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetDiscovery

@Suite("A rendezvous directory", .timeLimit(.minutes(5)))
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
      let node = advertisement("a")
      var registered = AsyncStream<AdvertisementEvent>.Iterator?.none
      var found = Rendezvous(path, logger: quiet).events().makeAsyncIterator()
      do {
        let stream = Rendezvous(path, host: "10.0.0.5", logger: quiet).advertise(node)
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

  @Test("This machine's addresses are literal and not link-local, and there is one")
  func addresses() {
    let addresses = MachineAddresses.routable()
    #expect(!addresses.isEmpty)
    #expect(addresses.allSatisfy { Endpoint(host: $0, port: 1).hasLiteralHost })
    #expect(!addresses.contains { $0.hasPrefix("fe80") })
  }
}
