import NIOCore
import NIOPosix
import NIOSSL
import SkyNetCluster
package import SkyNetCore
package import SkyNetKeys
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A listener that hands the cluster's keys, once, to the peer that has the invitation's code.
///
/// The code is the pre-shared key of a TLS connection, by the cipher that members use. So a peer that only listens
/// to the connection does not learn the keys, nor anything by which codes could be tried without a connection.
/// Peers that have not proved the code have the limits of a node's unauthenticated peers.
package final class Invitation: Sendable {
  /// What happens while an invitation is open.
  package enum News: Sendable {
    /// A peer on this host has a wrong code; so many more end the invitation.
    case wrongCode(host: String, left: Int)
    /// A peer on this host was refused for this reason, which is no wrong code.
    case refused(host: String, reason: String)
    /// It has ended, and is closed. This is the last news.
    case ended(InvitationEnding)
  }

  /// How long the peer that gets the keys may take to confirm them.
  private static let patience = TimeAmount.seconds(30)

  /// Where it listens: all addresses, and the port that it got.
  package let endpoint: Endpoint
  /// May be iterated once.
  package let news: AsyncStream<News>
  private let continuation: AsyncStream<News>.Continuation
  private let channel: any Channel
  private let desk: Desk

  private init(
    _ channel: any Channel, _ endpoint: Endpoint, _ desk: Desk, _ news: AsyncStream<News>,
    _ continuation: AsyncStream<News>.Continuation
  ) {
    self.channel = channel
    self.endpoint = endpoint
    self.desk = desk
    self.news = news
    self.continuation = continuation
  }

  /// Opens an invitation on all addresses of this machine. With port 0, on any free port.
  ///
  /// - Parameters:
  ///   - port: where to listen.
  ///   - code: what the peer has to have.
  ///   - keys: reads the keys when a peer has proved the code, as they may have changed since the invitation
  ///     began. It is called once, on an event loop.
  ///   - limits: of peers that have not proved the code.
  /// - Throws: ``SkyNetCluster/TransportError`` `cannotListen`, with the reason.
  package static func open(
    port: Int, code: InvitationCode, keys: @escaping @Sendable () throws -> ClusterKeys,
    limits: UnauthenticatedLimits = UnauthenticatedLimits()
  ) async throws -> Invitation {
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let desk = Desk(continuation)
    let limiter = UnauthenticatedLimiter(limit: limits.connections)
    let endpoint = Endpoint.everywhere(port: port)
    do {
      let bootstrap = ServerBootstrap(group: try EventLoops.all())
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try accept(channel, code, keys, desk, limiter, limits)
          }
        }
      let channel = try await bind(bootstrap, to: endpoint)
      desk.closeWhenEnded(channel)
      return Invitation(
        channel, .everywhere(port: channel.localAddress?.port ?? port), desk, news,
        continuation)
    } catch {
      throw TransportError(
        .cannotListen, "cannot listen on port \(port): \(IOReason.text(for: error))",
        cause: error)
    }
  }

  private static func bind(
    _ bootstrap: ServerBootstrap, to endpoint: Endpoint
  ) async throws -> any Channel {
    var failure: any Error = IOError(errnoCode: EADDRNOTAVAIL, reason: "bind")
    for address in try await ListeningAddresses.of(endpoint) {
      do {
        return try await bootstrap.bind(to: address).get()
      } catch let error as IOError where IOReason.isNoAddress(error.errnoCode) {
        failure = error
      }
    }
    throw failure
  }

  /// The invitation's time is up. A peer that is getting the keys still gets them.
  package func expire() { desk.decide { $0.expired() } }

  /// Closes the invitation before its time is up, or gives up the wait for a peer's word that it has kept the
  /// keys. The last news tells which of them it was.
  package func withdraw() { desk.decide { $0.withdrawn() } }

  /// Ends the invitation at once.
  package func close() {
    channel.close(promise: nil)
    continuation.finish()
  }

  /// A member names a key, or sees by the hint that this is no node. So does a peer that has no key.
  private static func explain(_ error: TransportError) -> TransportError {
    guard TLSFault.isNoIdentity(error) || TLSFault.isNoKey(error) else { return error }
    return TransportError(
      .refused,
      "it has no code, and perhaps looks for a node, which this is not: the other machine needs "
        + "the whole line that this invitation printed", cause: error.cause)
  }

  private static func accept(
    _ channel: any Channel, _ code: InvitationCode,
    _ keys: @escaping @Sendable () throws -> ClusterKeys, _ desk: Desk,
    _ limiter: UnauthenticatedLimiter, _ limits: UnauthenticatedLimits
  ) throws {
    let host = channel.remoteAddress?.host ?? "an unknown address"
    let unauthenticated = UnauthenticatedHandler(limiter: limiter, limits: limits) {
      desk.refused(host, $0.message)
    }
    let visit = InvitedHandler(desk, host: host, keys: keys, patience: patience)
    let handshake = HandshakeHandler(timeout: limits.handshakeTimeout) { result, context in
      switch result {
      case .success:
        unauthenticated.authenticated()
        do {
          try context.pipeline.syncOperations.addHandler(visit)
        } catch {
          context.close(promise: nil)
        }
      case .failure(let error):
        if error.cause.map(TLSFault.isWrongSecret) == true {
          desk.wrongCode(host)
          context.close(promise: nil)
        } else {
          unauthenticated.refuse(explain(error))
        }
      }
    }
    try channel.pipeline.syncOperations.addHandlers([
      unauthenticated,
      NIOSSLServerHandler(context: try InvitationWire.serverContext(code)), handshake,
    ])
  }
}

extension Invitation {
  /// Performs what the pure desk decides, for all connections of an invitation.
  final class Desk: Sendable {
    private struct State {
      var desk = InvitationDesk()
      var lastVisitor: InvitationDesk.Visitor = 0
      var listener: (any Channel)?
      var isOver = false
    }

    private let state = Mutex(State())
    private let news: AsyncStream<News>.Continuation

    init(_ news: AsyncStream<News>.Continuation) { self.news = news }

    func closeWhenEnded(_ listener: any Channel) {
      let isOver = state.withLock { state in
        state.listener = listener
        return state.isOver
      }
      if isOver { listener.close(promise: nil) }
    }

    func refused(_ host: String, _ reason: String) {
      news.yield(.refused(host: host, reason: reason))
    }

    func wrongCode(_ host: String) {
      let verdict = state.withLock { $0.desk.wrongCode() }
      guard let verdict else { return }
      news.yield(.wrongCode(host: host, left: verdict.left))
      if let ending = verdict.ending { end(ending) }
    }

    /// A peer has proved the code. Returns its number if it gets the keys.
    func proved(host: String) -> InvitationDesk.Visitor? {
      state.withLock { state in
        state.lastVisitor += 1
        return state.desk.proved(state.lastVisitor, host: host) ? state.lastVisitor : nil
      }
    }

    func decide(_ event: (inout InvitationDesk) -> InvitationEnding?) {
      if let ending = state.withLock({ event(&$0.desk) }) { end(ending) }
    }

    private func end(_ ending: InvitationEnding) {
      let listener = state.withLock { state in
        state.isOver = true
        return state.listener
      }
      guard let listener else { return tell(ending) }
      // By the time that the end is told, nothing listens any more.
      listener.close().whenComplete { [self] _ in tell(ending) }
    }

    private func tell(_ ending: InvitationEnding) {
      news.yield(.ended(ending))
      news.finish()
    }
  }
}
