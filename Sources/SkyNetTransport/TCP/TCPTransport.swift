import NIOCore
import NIOPosix
public import SkyNetCluster
public import SkyNetCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Messages over TCP, on SwiftNIO's shared event loops.
public struct TCPTransport: Transport {
  public let fingerprint: String?
  public var limits: WireLimits { maker.limits }
  private let maker: ConnectionMaker
  private let strangers: StrangerLimits

  /// - Parameters:
  ///   - budget: what all peers together make this process hold.
  ///   - closingTimeout: how long a peer that reads nothing may hold up a close, at most twice.
  ///   - strangers: what who connects may cost before it has shown that it is a member.
  public init(
    _ security: TransportSecurity, limits: WireLimits = WireLimits(),
    budget: MemoryBudget = MemoryBudget(),
    closingTimeout: Duration = .seconds(1), strangers: StrangerLimits = StrangerLimits()
  ) {
    fingerprint = security.fingerprint
    maker = ConnectionMaker(
      limits: limits, budget: budget, closingTimeout: closingTimeout, tls: security.tls)
    self.strangers = strangers
  }

  public func connect(to endpoint: Endpoint, timeout: Duration) async throws -> any Connection {
    let pending: ConnectionMaker.Pending
    do {
      pending = try await ClientBootstrap(group: try EventLoops.all())
        .connectTimeout(.nanoseconds(Int64(timeout.inSeconds * 1e9)))
        .forConnections()
        .connect(host: endpoint.host, port: endpoint.port) { [maker] channel in
          channel.eventLoop.makeCompletedFuture {
            try maker.connect(channel, patience: timeout)
          }
        }
    } catch {
      throw TransportError(
        .cannotConnect, "\(endpoint) cannot be reached: \(Self.reason(error))", cause: error)
    }
    return try await withTaskCancellationHandler {
      try await pending.connection.get()
    } onCancel: {
      pending.channel.close(promise: nil)
    }
  }

  public func listen(on endpoint: Endpoint) async throws -> any Listener {
    var failure: (any Error)?
    do {
      let group = try EventLoops.all()
      for address in try await ListeningAddresses.of(endpoint) {
        do {
          return try await TCPListener(
            on: endpoint, at: address, group: group, maker: maker, strangers: strangers)
        } catch let error as IOError where IOReason.isNoAddress(error.errnoCode) {
          failure = error
        }
      }
    } catch {
      failure = error
    }
    throw Self.cannotListen(on: endpoint, failure)
  }

  private static func cannotListen(on endpoint: Endpoint, _ error: (any Error)?) -> TransportError {
    let place = endpoint.isEverywhere ? "port \(endpoint.port)" : "\(endpoint)"
    let reason =
      switch (error as? IOError)?.errnoCode {
      case EAFNOSUPPORT?:
        "this machine has no \(endpoint.host.contains(":") ? "IPv6" : "IPv4")"
      case EADDRNOTAVAIL?: "this machine has no such address"
      default: error.map(reason) ?? "the name has no address"
      }
    return TransportError(.cannotListen, "cannot listen on \(place): \(reason)", cause: error)
  }

  /// The plain words of an error, where it has some.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      let errors = error.connectionErrors.map(\.error)
      if let first = errors.first { return reason(first) }
      return error.dnsAError ?? error.dnsAAAAError == nil ? "\(error)" : "unknown host"
    case ChannelError.connectTimeout(let limit):
      return "no answer within \(Duration(limit).inTenths) s"
    default: return IOReason.text(for: error)
    }
  }
}

extension ClientBootstrap {
  /// The options that both ends of a connection have.
  fileprivate func forConnections() -> ClientBootstrap {
    channelOption(.autoRead, value: false)
      .channelOption(.writeBufferWaterMark, value: TCPTuning.waterMark)
      .channelOption(.recvAllocator, value: TCPTuning.reading)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
  }
}

enum TCPTuning {
  /// A chunk is read at once where it is there, and small buffers are enough where there are none.
  static let reading = AdaptiveRecvByteBufferAllocator(
    minimum: 1024, initial: 2048, maximum: WireLimits.chunk)

  /// How much may wait in a channel before chunks stop: enough for the next one to be at hand,
  /// little enough for a ping to get by.
  static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(
    low: WireLimits.chunk / 2, high: WireLimits.chunk * 2)
}
