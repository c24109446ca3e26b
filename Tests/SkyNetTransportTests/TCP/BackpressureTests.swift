import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import SkyNetTransport
import Testing

@Suite("Peers that do not read", .timeLimit(.minutes(20)))
struct BackpressureTests {
  @Test("A peer that does not read is not read from until it reads, and then nothing is missing")
  func notServed() async throws {
    let calls = 200
    let answer = Data(count: 1 << 20)
    let handled = Count()
    let listener = try await TCPTransport(.insecure).listen(on: .loopback)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // Answers every message: one with a body by a MiB, one without by nothing.
        try await withThrowingDiscardingTaskGroup { connections in
          for await connection in listener.connections {
            connections.addTask {
              try await connection.receive { message in
                if !message.body.isEmpty { handled.add() }
                let body = message.body.isEmpty ? Data() : answer
                connection.send(Message(.reply, call: message.call, body: body))
              }
            }
          }
        }
      }
      let silent = try await TCPTransport(.insecure).connect(to: listener.endpoint, timeout: .ample)
      // So large that not all calls can have arrived before the first is answered.
      let question = Data(count: 256 << 10)
      for id in 1...calls {
        silent.send(Message(.call, target: 1, call: UInt64(id), body: question))
      }
      // While another peer was served this often, the silent one could have been too.
      try await roundTrips(calls * 4, to: listener.endpoint)
      let early = handled.value
      #expect(early < calls / 2, "\(early) of \(calls) answers of a MiB wait in memory")

      let replies = Count()
      try await silent.receive { message in
        if message.body.count == answer.count, replies.add() == calls {
          silent.close(saying: nil)
        }
      }
      #expect(replies.value == calls)
      listener.close()
      group.cancelAll()
    }
  }

  @Test("A peer that leaves too many bytes of answers unread is disconnected")
  func unreadAnswers() async throws {
    let limits = WireLimits(body: 1 << 20, bulk: 1 << 20, held: 32 << 20)
    let listener = try await TCPTransport(.insecure, limits: limits).listen(on: .loopback)
    defer { listener.close() }
    let silent = try await TCPTransport(.insecure).connect(to: listener.endpoint, timeout: .ample)
    defer { silent.close(saying: nil) }
    silent.send(Message(.call, target: 1, call: 1))
    let server = try #require(await listener.nextConnection())
    let error = await #expect(throws: WireError.self) {
      try await server.receive { _ in
        for id in 1...100 {
          server.send(Message(.reply, call: UInt64(id), bulk: Data(count: 1 << 20)))
          server.send(Message(.reply, call: UInt64(100 + id), body: Data(count: 1 << 19)))
        }
      }
    }
    #expect(error?.code == .tooMuch)
    #expect(error?.message.contains("bytes that it does not read") == true)
  }

  @Test("A peer that leaves answers unread is told of, and so is that it has read them all")
  func behind() async throws {
    let listener = try await TCPTransport(.insecure, budget: MemoryBudget(limit: 1000))
      .listen(on: .loopback)
    defer { listener.close() }
    let client = try await TCPTransport(.insecure).connect(to: listener.endpoint, timeout: .ample)
    let server = try #require(await listener.nextConnection())
    defer { server.close(saying: nil) }
    let told = Watched<[Bool]>([])
    server.whenBehind { isBehind in told.update { $0.append(isBehind) } }
    // Its unanswered calls are more than its share, so it has to wait for memory.
    let memory = try #require(server.memory)
    memory.changeWhole(by: 2000)
    defer { memory.changeWhole(by: -2000) }
    #expect(memory.turn == .waits)
    // The last part is so small that the channel takes it at once.
    for (id, count) in [32 << 20, 1000].enumerated() {
      server.send(Message(.reply, call: UInt64(id), bulk: Data(count: count)))
    }
    async let served: Void? = try? server.receive { _ in }
    try await told.wait { $0 == [true] }
    let replies = Watched(0)
    async let read: Void? = try? client.receive { _ in replies.update { $0 += 1 } }
    try await told.wait { $0 == [true, false] }
    try await replies.wait { $0 == 2 }
    client.close(saying: nil)
    _ = await (served, read)
  }

  /// Makes this many calls, each when the answer to the last has come.
  private func roundTrips(_ count: Int, to endpoint: Endpoint) async throws {
    let connection = try await TCPTransport(.insecure).connect(to: endpoint, timeout: .ample)
    let answers = Count()
    let call = Message(.call, target: 1, call: 1)
    connection.send(call)
    try await connection.receive { _ in
      if answers.add() == count {
        connection.close(saying: nil)
      } else {
        connection.send(call)
      }
    }
  }
}
