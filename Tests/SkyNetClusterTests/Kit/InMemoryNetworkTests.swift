import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

import struct Foundation.Data

@Suite("The in-memory network", .timeLimit(.minutes(20)))
struct InMemoryNetworkTests {
  private let network = InMemoryNetwork()

  /// The two ends of a connection from `a` to `b`.
  private func pair() async throws -> (a: any Connection, b: any Connection) {
    let listener = try await network.transport(host: "b").peers.listen(
      on: Endpoint(host: "b", port: 0))
    let a = try await network.transport(host: "a").peers.connect(
      to: listener.endpoint, timeout: .seconds(1))
    for await b in listener.connections {
      listener.close()
      return (a, b)
    }
    throw CancellationError()
  }

  private func numbers(_ peer: RawPeer) -> [UInt64] { peer.received.value.map(\.call) }

  @Test("Messages arrive in order, even if they were sent before the other end received")
  func order() async throws {
    let (a, b) = try await pair()
    for number in UInt64(0)..<50 { a.send(Message(.call, call: number)) }
    let receiver = RawPeer(b)
    try await receiver.received.wait { $0.count == 50 }
    for number in UInt64(50)..<100 { a.send(Message(.call, call: number)) }
    try await receiver.received.wait { $0.count == 100 }
    #expect(numbers(receiver) == Array(0..<100))
  }

  @Test("Closing delivers the queued messages, the last message, and the end")
  func closing() async throws {
    let (a, b) = try await pair()
    a.send(Message(.call, call: 1))
    a.close(saying: Message(.goodbye, call: 2))
    a.send(Message(.call, call: 3))
    let receiver = RawPeer(b)
    try await receiver.isClosed.wait { $0 }
    #expect(numbers(receiver) == [1, 2])
    try await a.receive { _ in Issue.record("a closed connection receives nothing") }
  }

  @Test("A message that is larger than the protocol allows ends the connection, as over TCP")
  func tooLarge() async throws {
    let (a, b) = try await pair()
    a.send(Message(.call, target: 1, call: 1, body: Data(count: WireLimits().body + 1)))
    await #expect(throws: WireError.self) { try await b.receive { _ in } }
    try await a.receive { _ in }
  }

  @Test("Cancelling the receiving task closes the connection")
  func cancelling() async throws {
    let (a, b) = try await pair()
    let receiver = RawPeer(b)
    let receiving = Task { try await a.receive { _ in } }
    receiving.cancel()
    try await receiving.value
    try await receiver.isClosed.wait { $0 }
  }

  @Test("A connection counts the bytes that the frames would have on the wire")
  func bytes() async throws {
    let (a, b) = try await pair()
    #expect(b.signsOfLife == 0)
    a.send(Message(.ping))
    #expect(b.signsOfLife == 0)
    let receiver = RawPeer(b)
    try await receiver.received.wait { $0.count == 1 }
    #expect(b.signsOfLife == 20)
    a.send(Message(.reply, body: Data(count: 5), bulk: Data(count: WireLimits.chunk + 1)))
    await network.settle()
    #expect(b.signsOfLife == 20 + 20 + 5 + 2 * 20 + WireLimits.chunk + 1)
  }

  @Test("A cut host receives and sends nothing until it is healed, and then everything that waited")
  func cutting() async throws {
    let (a, b) = try await pair()
    let (atA, atB) = (RawPeer(a), RawPeer(b))
    a.send(Message(.call, call: 1))
    try await atB.received.wait { $0.count == 1 }
    network.cut("b")
    a.send(Message(.call, call: 2))
    b.send(Message(.call, call: 3))
    b.close(saying: nil)
    #expect(numbers(atB) == [1])
    #expect(numbers(atA).isEmpty)
    #expect(!atA.isClosed.value)
    let error = await #expect(throws: TransportError.self) { try await pair() }
    #expect(error?.code == .cannotConnect)
    network.heal("b")
    try await atA.isClosed.wait { $0 }
    #expect(numbers(atA) == [3])
  }

  @Test("The messages of one host can be held back alone")
  func holding() async throws {
    let (a, b) = try await pair()
    let (atA, atB) = (RawPeer(a), RawPeer(b))
    network.hold(from: "a")
    a.send(Message(.call, call: 1))
    b.send(Message(.call, call: 2))
    try await atA.received.wait { $0.count == 1 }
    #expect(numbers(atB).isEmpty)
    network.release(from: "a")
    try await atB.received.wait { $0.count == 1 }
  }

  @Test("A crash breaks a host's connections and listeners")
  func crashing() async throws {
    let (a, b) = try await pair()
    let listener = try await network.transport(host: "b").peers.listen(
      on: Endpoint(host: "b", port: 5))
    network.crash("b")
    let error = await #expect(throws: TransportError.self) { try await a.receive { _ in } }
    #expect(error?.code == .connectionLost)
    await #expect(throws: TransportError.self) { try await b.receive { _ in } }
    for await _ in listener.connections { Issue.record("a crashed host accepts no connection") }
    await #expect(throws: TransportError.self) {
      try await network.transport(host: "a").peers.connect(
        to: listener.endpoint, timeout: .seconds(1))
    }
    // Another process may listen there now.
    _ = try await network.transport(host: "b").peers.listen(on: listener.endpoint)
  }

  @Test("An endpoint has one listener at a time, and the test can refuse its connections")
  func listening() async throws {
    let b = network.transport(host: "b").peers
    let listener = try await b.listen(on: Endpoint(host: "anything", port: 7))
    #expect(listener.endpoint == Endpoint(host: "b", port: 7))
    await #expect(throws: TransportError.self) { try await b.listen(on: listener.endpoint) }
    network.refuse("b")
    await #expect(throws: TransportError.self) {
      try await network.transport(host: "a").peers.connect(
        to: listener.endpoint, timeout: .seconds(1))
    }
    network.accept("b")
    _ = try await network.transport(host: "a").peers.connect(
      to: listener.endpoint, timeout: .seconds(1))
    #expect(network.connects(to: "b") == 2)
  }
}
