import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetTransport
import Testing

@Suite("The memory that all peers together may use", .timeLimit(.minutes(20)))
struct MemoryTests {
  private static let sector = 3 << 20

  /// Three quarters of a message, as bytes.
  private static let unfinished: [UInt8] = {
    var bytes = [UInt8](
      FrameHeader(kind: .call, target: 1, call: 1, bulkCount: UInt32(sector / 3 * 4)))
    let chunk = FrameHeader(
      kind: .chunk, target: FrameKind.call.rawValue, call: 1, bodyCount: UInt32(WireLimits.chunk))
    for _ in 0..<sector / WireLimits.chunk {
      bytes += [UInt8](chunk) + [UInt8](repeating: 7, count: WireLimits.chunk)
    }
    return bytes
  }()

  @Test("A peer that stalls within a message is disconnected when others need the memory")
  func stalled() async throws {
    let budget = MemoryBudget(limit: 4 << 20, patience: .seconds(3))
    let listener = try await TCPTransport(.insecure, budget: budget).listen(on: .loopback)
    let whole = Count()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await withDiscardingTaskGroup { connections in
          for await connection in listener.connections {
            connections.addTask {
              try? await connection.receive { message in
                if message.bulk.count == Self.sector { whole.add() }
                // Tells the sender that the message arrived.
                connection.send(Message(.pong))
              }
            }
          }
        }
      }
      let ended = Count()
      let stalling = (1...3).map { _ in
        Task {
          defer { ended.add() }
          return try await RawPeer.exchange(Self.unfinished, with: listener.endpoint)
        }
      }
      let good = try await TCPTransport(.insecure).connect(to: listener.endpoint, timeout: .ample)
      let call = Message.call(1, bulk: Self.sector)
      good.send(call)
      // The good peer calls until the last stalled one is disconnected: that happens only while another peer
      // wants the memory.
      try await good.receive { message in
        guard message.kind == .pong else { return }
        if ended.value < 3 { good.send(call) } else { good.close(saying: nil) }
      }
      #expect(whole.value > 0)
      for stalled in stalling {
        let goodbye = try await stalled.value.goodbye()
        #expect(goodbye.code == .tooMuch)
        #expect(goodbye.message.contains("while others wait for memory"))
      }
      listener.close()
      group.cancelAll()
    }
    #expect(budget.heldBytes == 0)
  }
}
