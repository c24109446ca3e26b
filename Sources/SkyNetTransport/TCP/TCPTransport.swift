import NIOCore
import NIOPosix
public import SkyNetCore

/// Messages over TCP, on SwiftNIO's shared event loops.
public struct TCPTransport: Transport {
  private let limits: WireLimits
  private let closingTimeout: Duration
  private let group = MultiThreadedEventLoopGroup.singleton

  /// - Parameter closingTimeout: how long a peer that reads nothing may hold up a close, at most
  ///   twice.
  public init(limits: WireLimits = WireLimits(), closingTimeout: Duration = .seconds(1)) {
    self.limits = limits
    self.closingTimeout = closingTimeout
  }

  public func connect(to endpoint: Endpoint, timeout: Duration) async throws -> any Connection {
    do {
      return try await ClientBootstrap(group: group)
        .connectTimeout(.nanoseconds(Int64(timeout.inSeconds * 1e9)))
        .forConnections()
        .connect(host: endpoint.host, port: endpoint.port) { channel in
          connection(on: channel, serves: false)
        }
    } catch {
      throw TransportError(
        .cannotConnect, "\(endpoint) cannot be reached: \(Self.reason(error))", cause: error)
    }
  }

  public func listen(on endpoint: Endpoint) async throws -> any Listener {
    do {
      return try await listener(on: endpoint)
    } catch let error as IOError where endpoint.host == "::" && IOReason.isNoIPv6(error.errnoCode) {
      // All addresses were asked for, and this machine has only the older ones.
      return try await listen(on: Endpoint(host: "0.0.0.0", port: endpoint.port))
    } catch {
      throw TransportError(
        .cannotListen, "cannot listen on \(endpoint): \(Self.reason(error))", cause: error)
    }
  }

  private func listener(on endpoint: Endpoint) async throws -> TCPListener {
    try await TCPListener(on: endpoint, group: group) { connection(on: $0, serves: true) }
  }

  private func connection(
    on channel: any Channel, serves: Bool
  ) -> EventLoopFuture<TCPConnection> {
    channel.eventLoop.makeCompletedFuture {
      try TCPConnection(
        channel: channel, limits: limits, closingTimeout: closingTimeout, serves: serves)
    }
  }

  /// The plain words of an error, where it has some.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      let errors = error.connectionErrors.map(\.error)
      if let first = errors.first { return reason(first) }
      return error.dnsAError ?? error.dnsAAAAError == nil ? "\(error)" : "unknown host"
    case ChannelError.connectTimeout: return "no answer in time"
    default: return IOReason.text(for: error)
    }
  }
}

extension ClientBootstrap {
  /// The options that both ends of a connection have.
  fileprivate func forConnections() -> ClientBootstrap {
    channelOption(.autoRead, value: false)
      .channelOption(.writeBufferWaterMark, value: TCPTuning.waterMark)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
  }
}

enum TCPTuning {
  /// How much may wait in a channel before chunks stop: enough for the next one to be at hand,
  /// little enough for a ping to get by.
  static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(
    low: WireLimits.chunk / 2, high: WireLimits.chunk * 2)
}
