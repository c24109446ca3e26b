import NIOCore
import NIOPosix
import SkyNetCore

/// A socket that listens. Connections that nobody has taken yet wait, unread.
final class TCPListener: Listener {
  /// How many refusals wait for somebody to look at them.
  private static let refusalsKept = 64

  let endpoint: Endpoint
  let connections: AsyncStream<any Connection>
  let refusals: AsyncStream<Refusal>
  private let channel: any Channel

  init(
    on endpoint: Endpoint, group: any EventLoopGroup, maker: ConnectionMaker,
    strangers: StrangerLimits
  ) async throws {
    let (connections, accepted) = AsyncStream.makeStream(of: (any Connection).self)
    let (refusals, refused) = AsyncStream.makeStream(
      of: Refusal.self, bufferingPolicy: .bufferingNewest(Self.refusalsKept))
    let doorkeeper = Doorkeeper(limit: strangers.connections)
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.writeBufferWaterMark, value: TCPTuning.waterMark)
      .childChannelOption(.recvAllocator, value: TCPTuning.reading)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try maker.accept(channel, doorkeeper, strangers) { connection in
            // Who was still a stranger when the listener closed comes too late.
            if case .terminated = accepted.yield(connection) { connection.close(saying: nil) }
          } refused: {
            refused.yield($0)
          }
        }
      }
      .bind(host: endpoint.host, port: endpoint.port)
      .get()
    channel.closeFuture.whenComplete { _ in
      accepted.finish()
      refused.finish()
    }
    self.connections = connections
    self.refusals = refusals
    self.endpoint = Endpoint(
      host: endpoint.host, port: channel.localAddress?.port ?? endpoint.port)
  }

  func close() {
    channel.close(promise: nil)
  }
}
