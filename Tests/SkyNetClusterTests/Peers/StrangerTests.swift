import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("A connector bears what is no node", .timeLimit(.minutes(20)))
struct StrangerTests {
  /// Has the program meet something at `b`, and checks that it complains once, waits between its
  /// tries, and then meets a node in the same place.
  private func meet(
    complaint: String, _ greet: @escaping @Sendable (RawPeer) -> Void,
    during: @Sendable (TestCluster) async throws -> Void = { _ in }
  ) async throws {
    try await TestCluster.with { test, cluster in
      try await test.rawListener("b", greet)
      test.discovery.found("b", at: Endpoint(host: "b", port: 7000))
      for (tries, wait) in [(1, 100), (2, 200), (3, 400), (4, 800)] {
        try await during(test)
        try await test.clock.sleepers(atLeast: 1, within: .milliseconds(wait))
        #expect(test.network.connects(to: "b") == tries)
        // No further than to the next try: there might be time for another after it.
        if tries < 4 { test.clock.advance(by: .milliseconds(wait)) }
      }
      #expect(test.log.warnings.count == 1)
      #expect(test.log.warnings.first?.contains(complaint) == true)
      #expect(await cluster.systems.connected.isEmpty)

      test.network.crash("b")
      test.start("b", slots: 1)
      try await cluster.coordinator().waitForSystems(1)
    }
  }

  @Test("a peer that speaks another version")
  func version() async throws {
    try await meet(complaint: "protocol version 99 does not fit protocol version 1") { peer in
      peer.sayHello(version: 99)
    }
  }

  @Test("a node that objects to this program's version")
  func objection() async throws {
    try await meet(complaint: "it says: no") { peer in
      var goodbye = Goodbye("no")
      goodbye.code = .protocolVersion
      peer.send(Message(.goodbye, encoding: goodbye))
    }
  }

  @Test("a peer that begins with something else")
  func noHello() async throws {
    try await meet(complaint: "a ping frame came before hello") { $0.send(Message(.ping)) }
  }

  @Test("a peer whose hello makes no sense")
  func badHello() async throws {
    try await meet(complaint: "-1 slots") { $0.sayHello(slots: -1) }
  }

  @Test("a peer that closes at once")
  func closes() async throws {
    try await meet(complaint: "without a word") { $0.close() }
  }

  @Test("this very process, by a way that leads back to it")
  func itself() async throws {
    try await meet(complaint: "it is this very process") { peer in
      Task { peer.send(try await peer.message(.hello)) }
    }
  }

  @Test("a peer that says nothing for five seconds")
  func silent() async throws {
    try await meet(complaint: "it did not introduce itself within 5.0 s") { _ in
    } during: { test in
      try await test.clock.sleepers(atLeast: 1, within: .seconds(5))
      test.clock.advance(by: .seconds(5))
    }
  }
}
