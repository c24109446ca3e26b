import NIOCore
import NIOPosix
import SkyNetCluster
import SkyNetCore

/// A socket that listens. Connections that nobody has taken yet wait, unread.
final class TCPListener: Listener {
  /// How many refusals wait for somebody to look at them.
  private static let refusalsKept = 64

  let endpoint: Endpoint
  let connections: AsyncStream<any Connection>
  let refusals: AsyncStream<Refusal>
  let faults: AsyncStream<TransportError>
  private let channel: any Channel

  /// - Parameter address: what `endpoint`, of which people are told, stands for.
  init(
    on endpoint: Endpoint, at address: SocketAddress, group: any EventLoopGroup,
    maker: ConnectionMaker, strangers: StrangerLimits
  ) async throws {
    let (connections, accepted) = AsyncStream.makeStream(of: (any Connection).self)
    let (refusals, refused) = AsyncStream.makeStream(
      of: Refusal.self, bufferingPolicy: .bufferingNewest(Self.refusalsKept))
    let (faults, failed) = AsyncStream.makeStream(
      of: TransportError.self, bufferingPolicy: .bufferingNewest(1))
    let doorkeeper = Doorkeeper(limit: strangers.connections)
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = AcceptFaultHandler { failed.yield($0) }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
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
      .bind(to: address)
      .get()
    channel.closeFuture.whenComplete { _ in
      accepted.finish()
      refused.finish()
      failed.finish()
    }
    self.connections = connections
    self.refusals = refusals
    self.faults = faults
    self.endpoint = Endpoint(
      host: endpoint.host, port: channel.localAddress?.port ?? endpoint.port)
  }

  func close() {
    channel.close(promise: nil)
  }
}
