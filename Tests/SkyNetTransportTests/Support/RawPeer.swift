import Foundation
import NIOCore
import NIOPosix
import SkyNetCore
import Testing

/// A peer that sends bytes, not messages, so that it can send what no SkyNet process would.
enum RawPeer {
  typealias Socket = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// Sends these bytes, and returns the bytes that came back until the other side closed.
  static func exchange(_ bytes: [UInt8], with endpoint: Endpoint) async throws -> [UInt8] {
    try await connect(to: endpoint).executeThenClose { inbound, outbound in
      var answer: [UInt8] = []
      do {
        try await outbound.write(ByteBuffer(bytes: bytes))
        for try await buffer in inbound { answer += buffer.readableBytesView }
      } catch is IOError {
        // The other side may reset the connection; the answer before it counts.
      } catch ChannelError.ioOnClosedChannel {
        // The other side may even close before it reads anything.
      }
      return answer
    }
  }

  /// Sends these bytes, and closes at once: in good order, or, if `hard`, with a reset.
  static func sendAndClose(
    _ bytes: [UInt8], to endpoint: Endpoint, hard: Bool = false
  ) async throws {
    try await connect(to: endpoint, closesHard: hard).executeThenClose { _, outbound in
      try await outbound.write(ByteBuffer(bytes: bytes))
    }
  }

  /// Sends these bytes, waits until the kernel has them all, and closes.
  static func sendAllAndClose(_ bytes: [UInt8], to endpoint: Endpoint) async throws {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: endpoint.host, port: endpoint.port).get()
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    try await channel.close()
  }

  private static func connect(
    to endpoint: Endpoint, closesHard: Bool = false
  ) async throws -> Socket {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: endpoint.host, port: endpoint.port) { channel in
        if closesHard, let socket = channel as? any SocketOptionProvider {
          // A socket that lingers for no time resets its connection.
          socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenFailure { _ in
            channel.close(promise: nil)
          }
        }
        return channel.eventLoop.makeCompletedFuture {
          try Socket(wrappingChannelSynchronously: channel)
        }
      }
  }
}

extension [UInt8] {
  /// The bytes of one frame.
  init(_ header: FrameHeader, body: String = "") {
    var header = header
    if header.bodyCount == 0 { header.bodyCount = UInt32(body.utf8.count) }
    self = header.bytes + Array(body.utf8)
  }

  /// The goodbye in these bytes, which must hold nothing else.
  func goodbye() throws -> Goodbye {
    try #require(count > FrameHeader.byteCount, "no goodbye came")
    let header = try withUnsafeBytes { try FrameHeader(parsing: $0, limits: WireLimits()) }
    #expect(header.kind == .goodbye)
    let body = Data(dropFirst(FrameHeader.byteCount))
    #expect(body.count == Int(header.bodyCount))
    return try Message(.goodbye, body: body).decodeBody(Goodbye.self)
  }
}
