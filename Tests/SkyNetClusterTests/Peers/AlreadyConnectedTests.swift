import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Second connections to a peer", .timeLimit(.minutes(20)))
struct AlreadyConnectedTests {
  @Test("A second connection that ends at once neither joins nor leaves")
  func secondEnds() async throws {
    let network = InMemoryNetwork()
    let place = Endpoint(host: "b", port: 7000)
    let listener = try await network.transport(host: "b").peers.listen(on: place)
    let transport = network.transport(host: "a").peers
    let system = ClusterActorSystem(
      name: "a", slots: 0, timeout: .seconds(5), registry: ScanRegistry([]),
      executor: network.executor)
    let hello = Hello(
      name: "b", incarnation: Incarnation(), slots: 1, timeout: .seconds(5), scans: [])
    func link() async throws -> PeerLink {
      PeerLink(
        try await transport.connect(to: place, timeout: .seconds(1)), actorSystem: system,
        clock: ManualClock())
    }
    let first = try await link()
    #expect(await system.peers.add(first, as: hello))
    var accepted = listener.connections.makeAsyncIterator()
    _ = await accepted.next()

    let told = Watched<[String]>([])
    for _ in 1...100 {
      let second = try await link()
      let other = try #require(await accepted.next())
      // Both messages are there before the link runs, so the goodbye comes while it handles the hello.
      other.send(Message(.hello, encoding: hello))
      other.close(saying: Message(.goodbye, encoding: Goodbye("already connected")))
      let ending = await second.run { _ in
        told.update { $0.append("joined") }
      } left: { _, _ in
        told.update { $0.append("left") }
      }
      #expect(ending.error is AlreadyConnected && ending.peer == nil)
    }
    #expect(told.value.isEmpty)
    #expect(await system.peers.link(to: hello.incarnation) === first)
  }

  @Test("A peer joins again only after the end of its earlier connection was reported")
  func endIsToldFirst() async throws {
    let network = InMemoryNetwork()
    let place = Endpoint(host: "b", port: 7000)
    let listener = try await network.transport(host: "b").peers.listen(on: place)
    let system = ClusterActorSystem(
      name: "a", slots: 0, timeout: .seconds(5), registry: ScanRegistry([]),
      executor: network.executor)
    let hello = Hello(
      name: "b", incarnation: Incarnation(), slots: 1, timeout: .seconds(5), scans: [])
    var accepted = listener.connections.makeAsyncIterator()
    let gate = Gate()
    let told = Watched<[String]>([])
    func run(_ number: Int) async throws -> (PeerLink, Task<ConnectionEnding, Never>) {
      let link = PeerLink(
        try await network.transport(host: "a").peers.connect(to: place, timeout: .seconds(1)),
        actorSystem: system, clock: ManualClock())
      let running = Task {
        await link.run { _ in
          told.update { $0.append("\(number) joined") }
        } left: { _, _ in
          try? await gate.pass()
          told.update { $0.append("\(number) left") }
        }
      }
      return (link, running)
    }

    let (first, firstRun) = try await run(1)
    let firstPeer = try #require(await accepted.next())
    firstPeer.send(Message(.hello, encoding: hello))
    try await told.wait { $0 == ["1 joined"] }
    firstPeer.close(saying: nil)
    try await gate.arrivals(atLeast: 1)
    let (_, second) = try await run(2)
    try #require(await accepted.next()).send(Message(.hello, encoding: hello))
    #expect(await second.value.error is AlreadyConnected)
    gate.open()
    await first.waitUntilEnded()
    #expect(await firstRun.value.error == nil)
    let (_, third) = try await run(3)
    let thirdPeer = try #require(await accepted.next())
    thirdPeer.send(Message(.hello, encoding: hello))
    try await told.wait { $0 == ["1 joined", "1 left", "3 joined"] }
    thirdPeer.close(saying: nil)
    #expect(await third.value.error == nil)
  }
}
