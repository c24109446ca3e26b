import NIOCore
import NIOPosix
package import SkyNetCluster
package import SkyNetCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Messages over TCP, with or without TLS, on SwiftNIO's shared event loops.
///
/// A connection that cannot be made or is lost throws a ``SkyNetCluster/TransportError``.
package struct TCPTransport: PeerTransport {
  /// The cluster's fingerprint, by which nodes advertise it; `nil` without encryption.
  package let fingerprint: String?
  /// The limits on the messages of one peer.
  package var limits: WireLimits { maker.limits }
  private let maker: ConnectionMaker
  private let unauthenticated: UnauthenticatedLimits

  /// - Parameters:
  ///   - security: how connections are encrypted, and which peers are members. Both ends need the same.
  ///   - limits: the limits on the messages of one peer. A peer that exceeds them is disconnected, with the
  ///     reason.
  ///   - budget: how many bytes all peers together may make this process hold.
  ///   - closingTimeout: how long a close waits for a peer that reads nothing, at most twice.
  ///   - unauthenticated: the limits of the cost of a connection before its peer has authenticated itself.
  ///   - answersCalls: whether this process answers calls, on connections of both directions, and so reads nothing
  ///     from a peer that does not read its answers. A process that calls always reads. With `nil`, it answers on the
  ///     connections that it accepts, and calls on those that it opens.
  package init(
    _ security: TransportSecurity, limits: WireLimits = WireLimits(),
    budget: MemoryBudget = MemoryBudget(),
    closingTimeout: Duration = .seconds(1),
    unauthenticated: UnauthenticatedLimits = UnauthenticatedLimits(), answersCalls: Bool? = nil
  ) {
    fingerprint = security.fingerprint
    maker = ConnectionMaker(
      limits: limits, budget: budget, closingTimeout: closingTimeout, tls: security.tls,
      answersCalls: answersCalls)
    self.unauthenticated = unauthenticated
  }

  /// Connects, and completes the TLS handshake.
  ///
  /// Cancelling closes the connection that is being made.
  ///
  /// - Parameter timeout: how long connecting may take, and again how long the handshake may take.
  /// - Throws: ``SkyNetCluster/TransportError``: `cannotConnect` if the peer cannot be reached, `refused` if it
  ///   is not a member of the same cluster, `connectionLost` if the handshake was not completed.
  package func connect(to endpoint: Endpoint, timeout: Duration) async throws -> any Connection {
    let pending: ConnectionMaker.Pending
    do {
      pending = try await ClientBootstrap(group: try EventLoops.all())
        .connectTimeout(.nanoseconds(Int64(timeout.inSeconds * 1e9)))
        .forConnections()
        .connect(host: endpoint.host, port: endpoint.port) { [maker] channel in
          channel.eventLoop.makeCompletedFuture {
            try maker.connect(channel, timeout: timeout)
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

  /// Listens on the first of the endpoint's addresses that this machine has; with port 0, on any free port.
  ///
  /// - Throws: ``SkyNetCluster/TransportError`` `cannotListen`, with the reason.
  package func listen(on endpoint: Endpoint) async throws -> any Listener {
    var failure: (any Error)?
    do {
      let group = try EventLoops.all()
      for address in try await ListeningAddresses.of(endpoint) {
        do {
          return try await TCPListener(
            on: endpoint, at: address, group: group, maker: maker,
            unauthenticated: unauthenticated)
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

  /// The first reason that NIO gives for a failure to connect, in plain words.
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
  /// Sets the options that both ends of a connection have.
  fileprivate func forConnections() -> ClientBootstrap {
    channelOption(.autoRead, value: false)
      .channelOption(.writeBufferWaterMark, value: TCPTuning.waterMark)
      .channelOption(.recvAllocator, value: TCPTuning.reading)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
  }
}

enum TCPTuning {
  /// Buffers grow until a whole chunk is read at once, and stay small on connections that carry none.
  static let reading = AdaptiveRecvByteBufferAllocator(
    minimum: 1024, initial: 2048, maximum: WireLimits.chunk)

  /// How many bytes may wait in a channel before no more chunks are written: enough that the socket never
  /// waits for the next chunk, few enough that a ping waits for little.
  static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(
    low: WireLimits.chunk / 2, high: WireLimits.chunk * 2)
}
