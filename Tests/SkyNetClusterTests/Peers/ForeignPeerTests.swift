import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Peers that are not nodes", .timeLimit(.minutes(20)))
struct ForeignPeerTests {
  /// Has the program connect to a peer that is not a node. Checks that the program logs one warning, waits
  /// between its tries, and then connects to a node in the same place.
  private func expectWarning(
    _ warning: String, _ greet: @escaping @Sendable (RawPeer) -> Void,
    during: @Sendable (TestCluster) async throws -> Void = { _ in }
  ) async throws {
    try await TestCluster.with { test, cluster in
      try await test.rawListener("b", greet)
      test.discovery.found("b", at: Endpoint(host: "b", port: 7000))
      for (tries, wait) in [(1, 100), (2, 200), (3, 400), (4, 800)] {
        try await during(test)
        try await test.clock.sleepers(atLeast: 1, within: .milliseconds(wait))
        #expect(test.network.connects(to: "b") == tries)
        // The clock does not move after the last try, so no further one can come.
        if tries < 4 { test.clock.advance(by: .milliseconds(wait)) }
      }
      #expect(test.log.warnings.count == 1)
      #expect(test.log.warnings.first?.contains(warning) == true)
      #expect(await cluster.systems.connected.isEmpty)

      test.network.crash("b")
      test.start("b", slots: 1)
      try await cluster.coordinator().waitForSystems(1)
    }
  }

  @Test("A peer that speaks another protocol version is logged once")
  func version() async throws {
    let warning = "protocol version 99 and protocol version 1 have nothing in common: update"
    try await expectWarning(warning) { peer in
      peer.sayHello(version: 99)
    }
  }

  @Test("A node that objects to the program's version is logged once")
  func objection() async throws {
    try await expectWarning("it says: no") { peer in
      var goodbye = Goodbye("no")
      goodbye.code = .protocolVersion
      peer.send(Message(.goodbye, encoding: goodbye))
    }
  }

  @Test("A peer that begins without a hello is logged once")
  func noHello() async throws {
    try await expectWarning("a ping frame came before hello") { $0.send(Message(.ping)) }
  }

  @Test("A peer with an impossible hello is logged once")
  func badHello() async throws {
    try await expectWarning("-1 slots") { $0.sayHello(slots: -1) }
  }

  @Test("A peer that closes the connection at once is logged once")
  func closes() async throws {
    try await expectWarning("without a word") { $0.close() }
  }

  @Test("An address that leads back to this process is logged once")
  func itself() async throws {
    try await expectWarning("it is this very process") { peer in
      Task { peer.send(try await peer.message(.hello)) }
    }
  }

  @Test("A peer that says nothing for five seconds is logged once")
  func silent() async throws {
    try await expectWarning("it did not introduce itself within 5.0 s") { _ in
    } during: { test in
      try await test.clock.sleepers(atLeast: 1, within: .seconds(5))
      test.clock.advance(by: .seconds(5))
    }
  }
}
