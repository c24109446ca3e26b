import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetTransport
import Testing

@Suite("The end of a TCP connection", .timeLimit(.minutes(20)))
struct ClosingTests {
  @Test("A close first delivers the queued messages with their bulk bytes, then the last one")
  func deliversQueued() async throws {
    try await withTwoEnds { client, server in
      let sent = (1...3).map { Message.call($0, bulk: 3_000_000) }
      for message in sent { server.send(message) }
      server.close(saying: .last)
      let received = try await client.receiveAll()
      #expect(received.last == .last)
      #expect(Set(received) == Set(sent + [.last]))
    }
  }

  @Test("A peer that reads nothing does not hold up a close for ever")
  func stalled() async throws {
    try await withTwoEnds(closingTimeout: .milliseconds(10)) { client, server in
      server.send(.call(1, bulk: 64 << 20))
      server.close(saying: .last)
      try await server.expect([])
      withExtendedLifetime(client) {}
    }
  }

  @Test("A closed connection sends nothing more, and can be closed again")
  func afterClose() async throws {
    try await withTwoEnds { client, server in
      client.close(saying: .last)
      client.close(saying: Message(.goodbye))
      try await server.expect([.last])
      try await client.receive { _ in }
      client.send(.call(2))
      client.close(saying: .last)
    }
  }

  @Test("A close by either end ends both ends without an error")
  func endOfStream() async throws {
    try await withTwoEnds { client, server in
      client.close(saying: nil)
      try await server.expect([])
      try await client.expect([])
    }
  }

  @Test("A receiver that is cancelled closes its connection")
  func cancelled() async throws {
    try await withTwoEnds { client, server in
      client.send(.call(1))
      let (arrived, first) = AsyncStream.makeStream(of: Message.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.receive { first.yield($0) } }
        let message = await arrived.first { _ in true }
        #expect(message == .call(1))
        group.cancelAll()
        try await group.waitForAll()
      }
      try await client.expect([])
    }
  }

  @Test("A receiver that is cancelled before it begins closes its connection too")
  func cancelledBefore() async throws {
    try await withTwoEnds { client, server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.cancelAll()
        group.addTask { try await server.receive { _ in } }
        try await group.waitForAll()
      }
      try await client.expect([])
    }
  }

  @Test("Messages that arrive before the receiver are not lost, even if the connection has ended")
  func endedBeforeReceive() async throws {
    try await withTwoEnds { client, server in
      client.send(.call(1))
      client.close(saying: .last)
      try await client.receive { _ in }
      try await server.expect([.call(1), .last])
    }
  }

  @Test("A peer whose connection is closed at once still gets the last message")
  func turnedAway() async throws {
    let transport = TCPTransport(.insecure)
    let listener = try await transport.listen(on: .loopback)
    defer { listener.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await connection in listener.connections { connection.close(saying: .last) }
      }
      for _ in 1...300 {
        let client = try await transport.connect(to: listener.endpoint, timeout: .ample)
        try await client.expect([.last])
      }
      listener.close()
    }
  }

  @Test("A reset is an error of the network, not of the peer")
  func reset() async throws {
    let listener = try await TCPTransport(.insecure).listen(on: .loopback)
    defer { listener.close() }
    try await RawPeer.sendAndClose(
      [UInt8](FrameHeader(kind: .ping)), to: listener.endpoint, hard: true)
    let server = try #require(await listener.nextConnection())
    let error = await #expect(throws: TransportError.self) { try await server.receive { _ in } }
    #expect(error?.code == .connectionLost)
  }

  @Test("A closed listener accepts nothing more, and its connections go on")
  func listenerCloses() async throws {
    let transport = TCPTransport(.insecure)
    let listener = try await transport.listen(on: .loopback)
    let client = try await transport.connect(to: listener.endpoint, timeout: .ample)
    let server = try #require(await listener.nextConnection())
    let (arrived, arrival) = AsyncStream.makeStream(of: Message.self)
    async let served: Void = server.receive { arrival.yield($0) }
    client.send(.call(1))
    let first = await arrived.first { _ in true }
    #expect(first == .call(1))

    listener.close()
    let next = await listener.nextConnection()
    #expect(next == nil)
    _ = try await transport.refusal(by: listener.endpoint)
    client.send(.call(2))
    client.close(saying: .last)
    try await served
    arrival.finish()
    var rest: [Message] = []
    for await message in arrived { rest.append(message) }
    #expect(rest == [.call(2), .last])
  }
}
