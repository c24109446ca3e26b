import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Faults of a node's peers", .timeLimit(.minutes(20)))
struct PeerLinkTests {
  /// Has a peer break the protocol, and checks that the node says goodbye with this code, closes that
  /// connection, and serves its other peers.
  private func expectGoodbye(
    _ code: WireError.Code, introduced: Bool = true, _ act: @Sendable (RawPeer) throws -> Void
  ) async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 3)
      try await gate.arrivals(atLeast: 1)
      let peer = try await test.rawPeer(to: "b")
      if introduced { peer.sayHello() }
      try act(peer)
      let goodbye = try await peer.message(.goodbye).decodeBody(Goodbye.self)
      #expect(goodbye.code == code)
      try await peer.isClosed.wait { $0 }
      gate.open()
      try await outcome.expectComplete()
      #expect(await cluster.systems.connected.count == 1)
    }
  }

  @Test("A call before the hello ends the connection")
  func callBeforeHello() async throws {
    try await expectGoodbye(.unexpected, introduced: false) { $0.send(Message(.call, target: 1)) }
  }

  @Test("A hello with another protocol version ends the connection")
  func version() async throws {
    try await expectGoodbye(.protocolVersion, introduced: false) { $0.sayHello(version: 2) }
  }

  @Test("A hello that is not JSON ends the connection")
  func badHello() async throws {
    try await expectGoodbye(.malformed, introduced: false) { $0.send(Message(.hello)) }
  }

  @Test("A second hello ends the connection")
  func secondHello() async throws {
    try await expectGoodbye(.unexpected) { $0.sayHello() }
  }

  @Test("Two running calls with one id end the connection")
  func sameCall() async throws {
    try await expectGoodbye(.unexpected) { peer in
      let coder = BodyCoder(registry: ScanRegistry([]))
      let body = try coder.encode(ScanTask.probe(5), as: .call).body
      for _ in 1...2 { peer.send(Message(.call, target: 1, call: 3, body: body)) }
    }
  }

  @Test("Answers to calls that were never made are ignored")
  func unaskedAnswers() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, _ in
      let peer = try await test.rawPeer(to: "b")
      peer.sayHello()
      peer.send(Message(.started, call: 8))
      peer.send(Message(.reply, call: 8))
      peer.send(Message(.failure, call: 8))
      peer.send(Message(.cancel, call: 8))
      peer.send(Message(.ping))
      _ = try await peer.message(.pong)
      #expect(!peer.isClosed.value)
    }
  }

  @Test("A node cancels the scans of a client that crashes")
  func clientGone() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 2], stage: stage) { test, cluster in
      try await test.engaging(as: "other") { other in
        try await other.coordinator().waitForSystems(1)
        let system = try await other.systems.commitment(for: ProbeScan.kind).system
        let run = Task { try await system.run(.probe(1)) }
        try await gate.arrivals(atLeast: 1)
        test.network.crash("other")
        await #expect(throws: ConnectionLost.self) { try await run.value }
        try await stage.cancelled.wait { $0.count == 1 }
      }
      gate.open()
      try await test.engage(cluster, sectors: 4).expectComplete()
    }
  }

  @Test("A node cancels the scans of a client that falls silent")
  func clientSilent() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 2)
      try await gate.arrivals(atLeast: 1)
      test.network.cut("engage")
      for _ in 1...6 {
        try await test.nodeClock.sleepers(atLeast: 1, within: .seconds(1))
        test.nodeClock.advance(by: .seconds(1))
      }
      try await stage.cancelled.wait { $0.count == 1 }
      gate.open()
      // The program notices the end of its connection, connects again, and finishes.
      test.network.heal("engage")
      try await test.disconnection(of: "b")
      try await test.clock.sleepers(atLeast: 1, within: .milliseconds(100))
      test.clock.advance(by: .milliseconds(100))
      try await outcome.expectComplete()
    }
  }
}
