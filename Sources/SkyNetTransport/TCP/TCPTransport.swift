import NIOCore
import NIOPosix
package import SkyNetCluster
package import SkyNetCore
import SkyNetKeys

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
  package var executor: any EngineExecutor { EventLoopExecutor.shared }
  /// The cluster's fingerprints, by which nodes advertise it, newest first; empty without encryption.
  package var fingerprints: [String] { security.fingerprints }
  /// The limits on the messages of one peer.
  package var limits: WireLimits { maker.limits }
  /// Half of what may be open. The rest is for files, programs, and those that have not shown yet that they are members.
  package var mostConnections: Int { Descriptors.limit / 2 }
  private let security: TransportSecurity
  private let maker: ConnectionMaker
  private let unauthenticated: UnauthenticatedLimits

  /// - Parameters:
  ///   - security: how connections are encrypted, and which peers are members. Both ends need the same.
  ///   - limits: the limits on the messages of one peer. A peer that exceeds them is disconnected, with the
  ///     reason.
  ///   - budget: how many bytes all peers together may make this process hold.
  ///   - closingTimeout: how long a close waits for a peer that reads nothing, at most twice.
  ///   - unauthenticated: the limits of the cost of a connection before its peer has authenticated itself.
  package init(
    _ security: TransportSecurity, limits: WireLimits = WireLimits(),
    budget: MemoryBudget = MemoryBudget(),
    closingTimeout: Duration = .seconds(1),
    unauthenticated: UnauthenticatedLimits = UnauthenticatedLimits()
  ) {
    self.security = security
    maker = ConnectionMaker(
      limits: limits, budget: budget, closingTimeout: closingTimeout, tls: security.tls)
    self.unauthenticated = unauthenticated
  }

  package func prepare() throws {
    do {
      _ = try EventLoops.ofPeers()
    } catch {
      throw TransportError(
        .cannotConnect, "cannot connect to others: \(IOReason.text(for: error))", cause: error)
    }
  }

  /// Connects, directly or through a process that relays the connection, and completes the TLS handshake with the peer.
  ///
  /// A process that holds several keys first tries the newest that the peer announces. If the peer does not hold that
  /// key, it tries the next one, over another connection. A ticket is good for one connection, so only the first key is
  /// tried by it.
  ///
  /// Cancelling ends this at once, and closes the connection that is being made.
  ///
  /// - Parameters:
  ///   - timeout: how long connecting may take, and again how long the handshake may take.
  ///   - announced: the fingerprints of the keys that the peer announces; empty if it announces nothing.
  /// - Throws: ``SkyNetCluster/TransportError``: `cannotConnect` if the peer cannot be reached, `refused` if it
  ///   is not a member of the same cluster, `connectionLost` if the handshake was not completed.
  package func connect(
    to endpoint: Endpoint, timeout: Duration, announced: [String], by ticket: RelayTicket? = nil
  ) async throws -> any Connection {
    guard let tls = security.tls else {
      guard ticket == nil else {
        throw TransportError(.cannotConnect, "only encrypted connections are relayed")
      }
      return try await connect(to: endpoint, nil, nil, timeout)
    }
    var refusal: any Error = TransportError(.refused, "there is no key to connect with")
    for side in try tls.clientSides(announced: announced) {
      do {
        return try await connect(to: endpoint, side, ticket, timeout)
      } catch let error as TransportError where ticket == nil && TLSFault.isOtherKey(error) {
        refusal = error
      }
    }
    throw refusal
  }

  /// Connects to a process that relays the connection, and completes the TLS handshake as its server.
  package func answer(
    at relay: Endpoint, timeout: Duration, by ticket: RelayTicket
  ) async throws -> any Connection {
    guard security.tls != nil else {
      throw TransportError(.cannotConnect, "only encrypted connections are relayed")
    }
    return try await open(relay, timeout) { [maker, unauthenticated] channel in
      try channel.pipeline.syncOperations.addHandler(RelayTicketSender(ticket))
      let promise = channel.eventLoop.makePromise(of: TCPConnection.self)
      let limiter = UnauthenticatedLimiter(limit: 1)
      try maker.accept(channel, limiter, unauthenticated, nil) {
        promise.succeed($0)
      } refused: {
        promise.fail(TransportError(.refused, $0.reason))
      }
      // Has no effect after either.
      channel.closeFuture.whenComplete { _ in
        promise.fail(TransportError(.connectionLost, "the peer did not come to be met"))
      }
      return promise.futureResult
    }
  }

  private func connect(
    to endpoint: Endpoint, _ side: TransportSecurity.Side?, _ ticket: RelayTicket?,
    _ timeout: Duration
  ) async throws -> any Connection {
    try await open(endpoint, timeout) { [maker] channel in
      try maker.connect(channel, side, ticket: ticket, timeout: timeout)
    }
  }

  private func open(
    _ endpoint: Endpoint, _ timeout: Duration,
    _ prepare: @escaping @Sendable (any Channel) throws -> EventLoopFuture<TCPConnection>
  ) async throws -> any Connection {
    do {
      return try await ConnectAttempt.connect(
        to: endpoint, timeout: timeout, with: { ClientBootstrap(group: $0).forConnections() },
        prepare: prepare)
    } catch let error as Unreachable {
      throw TransportError(
        .cannotConnect, "\(endpoint) cannot be reached: \(Self.reason(error.cause, at: endpoint))",
        cause: error.cause)
    }
  }

  /// Looks at the key file every two seconds.
  ///
  /// A look opens and reads the file, some system calls. Notices of the kernel would be no simpler: a mounted
  /// secret changes by a link beside it, and a file on a network by another machine.
  package func followKeys(
    clock: any ClusterClock, _ changed: @Sendable (KeyNews) async -> Void
  ) async {
    guard let ring = security.changingKeys else { return }
    var watch = KeyWatch(ring.keys)
    while (try? await clock.sleep(until: clock.now + Self.keyInterval, tolerance: nil)) != nil {
      // Not on a thread of Swift's pool, as a file on a network may not answer.
      let result = try? await NIOThreadPool.singleton.runIfActive {
        Result { try ring.reread() }
      }
      guard let result, let action = watch.read(result.mapError(KeyError.init)) else { continue }
      switch action {
      case .changed(let former, let keys):
        await changed(
          .changed("holds \(Self.words(keys)) now, and held \(Self.words(former)) before"))
      case .keepFormer(let reason): await changed(.fault(reason))
      case .mended: await changed(.mended)
      }
    }
  }

  private static let keyInterval = Duration.seconds(2)

  private static func words(_ keys: ClusterKeys) -> String {
    (keys.all.count == 1 ? "the key " : "the keys ") + keys.description
  }

  /// Listens on the first of the endpoint's addresses that this machine has; with port 0, on any free port.
  ///
  /// - Throws: ``SkyNetCluster/TransportError`` `cannotListen`, with the reason.
  package func listen(on endpoint: Endpoint) async throws -> any Listener {
    var failure: (any Error)?
    do {
      let loop = try EventLoops.ofPeers()
      for address in try await ListeningAddresses.of(endpoint) {
        do {
          return try await TCPListener(
            on: endpoint, at: address, group: loop, maker: maker,
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
      default: error.map { Self.reason($0, at: endpoint) } ?? "the name has no address"
      }
    return TransportError(.cannotListen, "cannot listen on \(place): \(reason)", cause: error)
  }

  /// The first reason that NIO gives for a failure to connect, in plain words.
  static func reason(_ error: any Error, at endpoint: Endpoint) -> String {
    switch error {
    case let error as NIOConnectionError:
      let errors = error.connectionErrors.map(\.error)
      if let first = errors.first { return reason(first, at: endpoint) }
      return error.dnsAError ?? error.dnsAAAAError == nil
        ? "\(error)" : "unknown host" + endpoint.hintIfUnknown
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
