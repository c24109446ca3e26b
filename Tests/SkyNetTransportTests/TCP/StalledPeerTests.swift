import Foundation
import NIOCore
import NIOEmbedded
import SkyNetCore
import Testing

@testable import SkyNetTransport

@Suite("A favoured peer that sends nothing")
struct StalledPeerTests {
  private static let patience = TimeAmount.seconds(10)

  /// A connection that holds a part of a message, and another account in the same budget.
  private struct Scene {
    let loop = EmbeddedEventLoop()
    let channel: EmbeddedChannel
    let budget = MemoryBudget(limit: 3000, patience: .seconds(10))
    let account: MemoryBudget.Account
    let other: MemoryBudget.Account

    init() throws {
      channel = EmbeddedChannel(loop: loop)
      let handler = ConnectionHandler(
        eventLoop: loop, limits: WireLimits(), closingTimeout: .seconds(1)
      ) {}
      let bound = NIOLoopBound(handler, eventLoop: loop)
      account = budget.account { [loop] in loop.execute { bound.value.turnChanged() } }
      other = budget.account {}
      handler.account(by: account)
      try channel.pipeline.syncOperations.addHandler(handler)
      channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
      _ = handler.start { _ in }
    }

    /// The peer begins a message that exceeds the budget, and the other account waits for memory.
    func begin() throws {
      try channel.writeInbound(
        ByteBuffer(
          bytes: [UInt8](FrameHeader(kind: .call, target: 1, call: 1, bulkCount: 9000))
            + [UInt8](
              FrameHeader(
                kind: .chunk, target: FrameKind.call.rawValue, call: 1, bodyCount: 4000))
            + [UInt8](repeating: 7, count: 4000)))
      other.changeUnfinished(by: 4000)
      loop.run()
    }
  }

  @Test("A favoured peer that sends nothing is disconnected when its time is over")
  func stalled() throws {
    let scene = try Scene()
    try scene.begin()
    #expect(scene.account.turn == .isFavoured && scene.other.turn == .waits)
    scene.loop.advanceTime(by: Self.patience - .seconds(1))
    #expect(scene.channel.isActive)
    scene.loop.advanceTime(by: .seconds(1))
    #expect(!scene.channel.isActive)
    let bytes = try #require(try scene.channel.readOutbound(as: ByteBuffer.self))
    let goodbye = try [UInt8](bytes.readableBytesView).goodbye()
    #expect(goodbye.message.contains("while others wait for memory"))
    #expect(scene.account.turn != .waits && scene.budget.heldBytes == 4000)
  }

  @Test("A favoured peer that had to wait itself has all of its time again")
  func anew() throws {
    let scene = try Scene()
    try scene.begin()
    scene.loop.advanceTime(by: Self.patience - .seconds(1))
    // The other account's whole call will free its memory when it is answered, so until then all wait.
    scene.other.changeWhole(by: 5000)
    scene.loop.run()
    #expect(scene.account.turn == .waits)
    scene.other.changeWhole(by: -5000)
    scene.loop.run()
    #expect(scene.account.turn == .isFavoured)
    scene.loop.advanceTime(by: Self.patience - .seconds(1))
    #expect(scene.channel.isActive)
    scene.loop.advanceTime(by: .seconds(1))
    #expect(!scene.channel.isActive)
  }
}
