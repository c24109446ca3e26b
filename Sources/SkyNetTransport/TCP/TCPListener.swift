import NIOCore
import NIOPosix
import SkyNetCore

/// A socket that listens. Connections that nobody has taken yet wait, unread.
final class TCPListener: Listener {
  let endpoint: Endpoint
  let connections: AsyncStream<any Connection>
  private let channel: any Channel

  init(
    on endpoint: Endpoint, group: any EventLoopGroup,
    connection: @escaping @Sendable (any Channel) -> EventLoopFuture<TCPConnection>
  ) async throws {
    let (connections, accepted) = AsyncStream.makeStream(of: (any Connection).self)
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.writeBufferWaterMark, value: TCPTuning.waterMark)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        connection(channel).map { _ = accepted.yield($0) }
      }
      .bind(host: endpoint.host, port: endpoint.port)
      .get()
    channel.closeFuture.whenComplete { _ in accepted.finish() }
    self.connections = connections
    self.endpoint = Endpoint(
      host: endpoint.host, port: channel.localAddress?.port ?? endpoint.port)
  }

  func close() {
    channel.close(promise: nil)
  }
}
