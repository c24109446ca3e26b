import NIOCore
import NIOPosix
import SkyNetCluster
import SkyNetCore

/// A socket that listens. Accepted connections wait in ``connections``, and are not read from meanwhile.
final class TCPListener: Listener {
  /// How many refusals wait in ``refusals`` to be logged; older ones are dropped.
  private static let refusalsKept = 64

  let endpoint: Endpoint
  let address: String?
  let connections: AsyncStream<any Connection>
  let refusals: AsyncStream<Refusal>
  let faults: AsyncStream<TransportError>
  let relay: (any Relay)?
  private let channel: any Channel

  /// - Parameters:
  ///   - endpoint: the endpoint to listen on, as messages show it to people.
  ///   - address: the socket address of `endpoint`.
  init(
    on endpoint: Endpoint, at address: SocketAddress, group: any EventLoopGroup,
    maker: ConnectionMaker, unauthenticated: UnauthenticatedLimits
  ) async throws {
    let (connections, accepted) = AsyncStream.makeStream(of: (any Connection).self)
    let (refusals, refused) = AsyncStream.makeStream(
      of: Refusal.self, bufferingPolicy: .bufferingNewest(Self.refusalsKept))
    let (faults, failed) = AsyncStream.makeStream(
      of: TransportError.self, bufferingPolicy: .bufferingNewest(1))
    // A ticket that is not encrypted on its way to the ends would be anyone's.
    let desk = maker.tls == nil ? nil : RelayDesk()
    relay = desk
    let limiter = UnauthenticatedLimiter(limit: unauthenticated.connections)
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
          try maker.accept(channel, limiter, unauthenticated, desk) { connection in
            // The peer authenticated itself only after the listener had closed.
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
    self.address = channel.localAddress?.ipAddress.flatMap {
      ["::", "0.0.0.0"].contains($0) ? nil : $0
    }
  }

  func close() {
    channel.close(promise: nil)
  }
}
