import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTransport
import Testing

@Suite("Relayed connections", .timeLimit(.minutes(20)))
struct RelayTests {
  private static func transport(_ key: ClusterKey) throws -> TCPTransport {
    TCPTransport(
      try TransportSecurity(key: key), closingTimeout: .ample,
      unauthenticated: UnauthenticatedLimits(handshakeTimeout: .ample))
  }

  /// Has a listener relay a connection between two ends.
  private static func withRelayed(
    _ body: (_ client: any Connection, _ server: any Connection) async throws -> Void
  ) async throws {
    let key = ClusterKey()
    // The process that relays needs none of the keys of the two ends.
    let listener = try await transport(ClusterKey()).listen(on: .loopback)
    defer { listener.close() }
    let ticket = RelayTicket()
    try #require(listener.relay).expect(ticket)
    let endpoint = listener.endpoint
    async let server = transport(key).answer(at: endpoint, timeout: .ample, by: ticket)
    let client = try await transport(key).connect(
      to: endpoint, timeout: .ample, announced: [], by: ticket)
    try await body(client, try await server)
  }

  @Test(
    "Messages of any size arrive in either direction, and the end does", arguments: [true, false])
  func messages(clientSends: Bool) async throws {
    try await Self.withRelayed { client, server in
      #expect(client.fingerprint != nil && client.fingerprint == server.fingerprint)
      let (sender, receiver) = clientSends ? (client, server) : (server, client)
      let calls = [Message.call(1), .call(2, bulk: 8_000_000), .call(3, bulk: 1)]
      async let received = receiver.receiveAll()
      async let answered = sender.receiveAll()
      for call in calls { sender.send(call) }
      sender.close(saying: .last)
      // Chunks may be overtaken by other messages.
      let messages = try await received
      #expect(Set(messages) == Set(calls + [.last]))
      let answers = try await answered
      #expect(answers.isEmpty)
    }
  }

  @Test("What a connection has sent before its end reaches the other one, and then its end")
  func lastBytes() async throws {
    let listener = try await Self.transport(ClusterKey()).listen(on: .loopback)
    defer { listener.close() }
    let (ticket, endpoint) = (RelayTicket(), listener.endpoint)
    try #require(listener.relay).expect(ticket)
    let bytes = [UInt8](repeating: 7, count: 20_000_000)
    async let received = RawPeer.exchange(ticket.bytes, with: endpoint)
    try await RawPeer.sendAllAndClose(ticket.bytes + bytes, to: endpoint)
    let count = try await received.count
    #expect(count == bytes.count)
  }

  @Test("A ticket is good for two connections, and a third one is closed")
  func third() async throws {
    let listener = try await Self.transport(ClusterKey()).listen(on: .loopback)
    defer { listener.close() }
    let (ticket, endpoint) = (RelayTicket(), listener.endpoint)
    try #require(listener.relay).expect(ticket)
    async let first = RawPeer.exchange(ticket.bytes + [1], with: endpoint)
    try await RawPeer.sendAndClose(ticket.bytes + [2], to: endpoint)
    #expect(try await first == [2])
    #expect(try await RawPeer.exchange(ticket.bytes, with: endpoint).isEmpty)
  }

  @Test("Many connections are relayed at a time")
  func many() async throws {
    let key = ClusterKey()
    let transport = try Self.transport(key)
    let listener = try await transport.listen(on: .loopback)
    defer { listener.close() }
    let relay = try #require(listener.relay)
    let endpoint = listener.endpoint
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...50 {
        let ticket = RelayTicket()
        try relay.expect(ticket)
        group.addTask {
          async let answering = transport.answer(at: endpoint, timeout: .ample, by: ticket)
          let client = try await transport.connect(
            to: endpoint, timeout: .ample, announced: [], by: ticket)
          let server = try await answering
          client.send(.call(UInt64(number), bulk: 100_000))
          client.close(saying: nil)
          try await server.expect([.call(UInt64(number), bulk: 100_000)])
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("A ticket that is not expected, or was used, is refused like any bytes that are not TLS")
  func unexpected() async throws {
    let transport = try Self.transport(ClusterKey())
    let listener = try await transport.listen(on: .loopback)
    defer { listener.close() }
    for _ in 1...3 {
      await #expect(throws: TransportError.self) {
        _ = try await transport.connect(
          to: listener.endpoint, timeout: .ample, announced: [], by: RelayTicket())
      }
      await #expect(throws: TransportError.self) {
        _ = try await transport.answer(at: listener.endpoint, timeout: .ample, by: RelayTicket())
      }
    }
    let refusal = await listener.refusals.first { _ in true }
    #expect(refusal?.reason == "it does not speak TLS")
    // The listener serves on.
    let client = try await transport.connect(to: listener.endpoint, timeout: .ample)
    #expect(await listener.nextConnection() != nil)
    client.close(saying: nil)
  }

  @Test("A connection that goes while it waits for the other leaves the other without one")
  func gone() async throws {
    let transport = try Self.transport(ClusterKey())
    let listener = try await transport.listen(on: .loopback)
    defer { listener.close() }
    let ticket = RelayTicket()
    try #require(listener.relay).expect(ticket)
    let endpoint = listener.endpoint
    let waiting = Task {
      try await transport.answer(at: endpoint, timeout: .ample, by: ticket)
    }
    waiting.cancel()
    _ = try? await waiting.value
    await #expect(throws: TransportError.self) {
      _ = try await transport.connect(
        to: endpoint, timeout: .milliseconds(200), announced: [], by: ticket)
    }
  }

  @Test("Without encryption nothing is relayed")
  func insecure() async throws {
    let transport = TCPTransport(.insecure)
    let listener = try await transport.listen(on: .loopback)
    defer { listener.close() }
    #expect(listener.relay == nil)
    await #expect(throws: TransportError.self) {
      _ = try await transport.answer(
        at: listener.endpoint, timeout: .ample, by: RelayTicket())
    }
  }
}
