import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetTransport
import Testing

@Suite("Messages over TCP", .timeLimit(.minutes(20)))
struct MessagesTests {
  @Test("Messages arrive whole and in the order they were sent")
  func inOrder() async throws {
    try await withTwoEnds { client, server in
      let sent = (1...1000).map { Message.call($0) } + [Message(.ping), Message(.started, call: 7)]
      for message in sent { client.send(message) }
      client.close(saying: .last)
      try await server.expect(sent + [.last])
      try await client.expect([])
    }
  }

  @Test("Both ends can send at the same time")
  func bothWays() async throws {
    try await withTwoEnds { client, server in
      for id in UInt64(1)...100 {
        client.send(.call(id, bulk: 100_000))
        server.send(.call(id, bulk: 50_000))
      }
      client.send(Message(.drain))
      server.send(Message(.drain))
      let inbox = Inbox()
      async let served: Void = server.receive { message in
        inbox.add(message)
        if inbox.messages.count == 101 { server.close(saying: .last) }
      }
      let received = try await client.receiveAll()
      try await served
      #expect(
        Set(inbox.messages) == Set((1...100).map { .call($0, bulk: 100_000) } + [Message(.drain)]))
      #expect(received.last == .last)
      #expect(received.count == 102)
    }
  }

  @Test("Megabytes of bulk bytes arrive as they are", arguments: [1, 262_144, 262_145, 8_000_000])
  func bulk(count: Int) async throws {
    try await withTwoEnds { client, server in
      let sent = Message.call(1, bulk: count)
      client.send(sent)
      client.close(saying: .last)
      try await server.expect([sent, .last])
      #expect(server.signsOfLife > count)
    }
  }

  @Test("A ping passes while bulk bytes are under way")
  func pingPasses() async throws {
    try await withTwoEnds { client, server in
      let inbox = Inbox()
      async let answers: Void = client.receive { message in
        switch message.kind {
        case .drain:
          client.send(.call(1, bulk: 64 << 20))
          client.send(.call(2, bulk: 300_000))
        // The small call has arrived, so the large one's bytes are under way.
        case .reply: client.send(Message(.ping))
        default: client.close(saying: nil)
        }
      }
      // The client sends only when it receives this, as on a loaded machine it may begin to receive late.
      server.send(Message(.drain))
      try await server.receive { message in
        inbox.add(message)
        switch (message.kind, message.call) {
        case (.call, 2): server.send(Message(.reply, call: 2))
        case (.call, 1): server.send(Message(.pong))
        default: break
        }
      }
      try await answers
      #expect(inbox.messages.map(\.kind) == [.call, .ping, .call])
      #expect(inbox.messages.map(\.call) == [2, 0, 1])
    }
  }

  @Test("A cancel may come right after its call")
  func cancelAtOnce() async throws {
    try await withTwoEnds { client, server in
      client.send(.call(1, bulk: 1_000_000))
      client.send(Message(.cancel, call: 1))
      client.send(.call(2, bulk: 1_000_000))
      client.close(saying: .last)
      // Depending on the timing, the first call leaves as a whole or the cancel overtakes it.
      let received = try await server.receiveAll().filter { $0 != .call(1, bulk: 1_000_000) }
      #expect(received == [Message(.cancel, call: 1), .call(2, bulk: 1_000_000), .last])
    }
  }

  @Test("A message over the limits that were set is refused")
  func limits() async throws {
    try await withTwoEnds(limits: WireLimits(body: 100, bulk: 1000)) { client, server in
      client.send(.call(1, bulk: 1000))
      client.send(Message(.reply, call: 2, body: Data(count: 101)))
      let inbox = Inbox()
      async let told = client.receiveAll()
      let error = await #expect(throws: WireError.self) {
        try await server.receive { inbox.add($0) }
      }
      #expect(error?.code == .tooLarge)
      let kinds = try await told.map(\.kind)
      #expect(kinds == [.goodbye])
    }
  }

  @Test("Many connections at once each get their own messages")
  func manyConnections() async throws {
    let transport = TCPTransport(.insecure)
    let listener = try await transport.listen(on: .loopback)
    let count = 100
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await withThrowingDiscardingTaskGroup { served in
          for await connection in listener.connections {
            served.addTask {
              try await connection.receive { message in
                connection.send(Message(.reply, call: message.call, bulk: message.bulk))
              }
            }
          }
        }
      }
      for id in 1...UInt64(count) {
        group.addTask {
          let connection = try await transport.connect(to: listener.endpoint, timeout: .ample)
          let call = Message.call(id, bulk: 10_000)
          connection.send(call)
          let inbox = Inbox()
          try await connection.receive { message in
            inbox.add(message)
            connection.close(saying: nil)
          }
          #expect(inbox.messages == [Message(.reply, call: id, bulk: call.bulk)])
        }
      }
      for _ in 0..<count { try await group.next() }
      listener.close()
      try await group.waitForAll()
    }
  }
}
