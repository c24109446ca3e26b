import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("A node bears what its peers do", .timeLimit(.minutes(20)))
struct PeerLinkTests {
  /// Does something wrong to a node, which says so, closes that connection, and serves others.
  private func misbehave(
    _ code: WireError.Code, introduced: Bool = true, _ act: @Sendable (RawPeer) -> Void
  ) async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 3)
      try await gate.arrivals(atLeast: 1)
      let peer = try await test.rawPeer(to: "b")
      if introduced { peer.sayHello() }
      act(peer)
      let goodbye = try await peer.message(.goodbye).decodeBody(Goodbye.self)
      #expect(goodbye.code == code)
      try await peer.isClosed.wait { $0 }
      gate.open()
      try await outcome.expectComplete()
      #expect(await cluster.systems.connected.count == 1)
    }
  }

  @Test("a call before hello")
  func callBeforeHello() async throws {
    try await misbehave(.unexpected, introduced: false) { $0.send(Message(.call, target: 1)) }
  }

  @Test("another version")
  func version() async throws {
    try await misbehave(.protocolVersion, introduced: false) { $0.sayHello(version: 2) }
  }

  @Test("a hello that is not JSON")
  func badHello() async throws {
    try await misbehave(.malformed, introduced: false) { $0.send(Message(.hello)) }
  }

  @Test("a second hello")
  func secondHello() async throws {
    try await misbehave(.unexpected) { $0.sayHello() }
  }

  @Test("two calls with one id")
  func sameCall() async throws {
    try await misbehave(.unexpected) { peer in
      let task = ScanTask.probe(5)
      for _ in 1...2 {
        peer.send(Message(.call, target: 1, call: 3, encoding: task))
      }
    }
  }

  @Test("answers to calls that were never made are nobody's")
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

  @Test("a client that breaks off has its scans cancelled")
  func clientGone() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 2], stage: stage) { test, cluster in
      try await test.engaging(as: "other") { other in
        try await other.coordinator().waitForSystems(1)
        let system = try await other.systems.firstAvailableSystem(for: ProbeScan.kind).system
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

  @Test("a client that falls silent is given up by the node, too")
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
      // The program hears of it, dials again, and finishes.
      test.network.heal("engage")
      try await test.disconnection(of: "b")
      try await test.clock.sleepers(atLeast: 1, within: .milliseconds(100))
      test.clock.advance(by: .milliseconds(100))
      try await outcome.expectComplete()
    }
  }
}
