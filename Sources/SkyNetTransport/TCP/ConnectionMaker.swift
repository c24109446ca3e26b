import NIOCore
import NIOSSL
import SkyNetCluster
import SkyNetCore

/// Sets up a channel's pipeline, and makes a connection of the channel: at once, or, with TLS, when the
/// handshake is complete. To be called on the channel's event loop, by the channel's initializer.
struct ConnectionMaker: Sendable {
  let limits: WireLimits
  let budget: MemoryBudget
  let closingTimeout: Duration
  let tls: TransportSecurity.TLS?

  /// For the side that connects.
  ///
  /// - Parameters:
  ///   - side: what TLS needs; `nil` without encryption.
  ///   - ticket: what the connection begins with, if it is relayed.
  ///   - timeout: how long the handshake may take.
  func connect(
    _ channel: any Channel, _ side: TransportSecurity.Side?, ticket: RelayTicket?,
    timeout: Duration
  ) throws -> EventLoopFuture<TCPConnection> {
    let counter = ByteCounter()
    try channel.pipeline.syncOperations.addHandler(counter)
    if let ticket { try channel.pipeline.syncOperations.addHandler(RelayTicketSender(ticket)) }
    guard let side else {
      return channel.eventLoop.makeSucceededFuture(
        try connection(on: channel, counter))
    }
    // Nodes are found by address, so there is no host name to check.
    let client = try NIOSSLClientHandler(context: side.context, serverHostname: nil)
    let promise = channel.eventLoop.makePromise(of: TCPConnection.self)
    let handshake = HandshakeHandler(timeout: timeout) { result, context in
      promise.completeWith(
        Result {
          try result.mapError(side.explain).get()
          return try connection(on: context.channel, counter, fingerprint: side.fingerprint())
        })
      if case .failure = result { context.close(promise: nil) }
    }
    try channel.pipeline.syncOperations.addHandlers([client, handshake])
    return promise.futureResult
  }

  /// For the side that listens.
  ///
  /// - Parameters:
  ///   - desk: joins the connections that are not for this process; `nil` if all are.
  ///   - accepted: called with the connection, when it is made.
  ///   - refused: called instead, if the peer does not authenticate itself, with the reason for the log.
  func accept(
    _ channel: any Channel, _ limiter: UnauthenticatedLimiter, _ limits: UnauthenticatedLimits,
    _ desk: RelayDesk?, accepted: @escaping @Sendable (TCPConnection) -> Void,
    refused: @escaping @Sendable (Refusal) -> Void
  ) throws {
    let counter = ByteCounter()
    try channel.pipeline.syncOperations.addHandler(counter)
    guard let tls else { return accepted(try connection(on: channel, counter)) }
    let host = channel.remoteAddress?.host ?? "an unknown address"
    let side = try tls.serverSide()
    let unauthenticated = UnauthenticatedHandler(limiter: limiter, limits: limits) {
      refused(Refusal(host: host, reason: $0.message))
    }
    let handshake = HandshakeHandler(timeout: limits.handshakeTimeout) { result, context in
      switch result {
      case .success:
        unauthenticated.authenticated()
        do {
          accepted(try connection(on: context.channel, counter, fingerprint: side.fingerprint()))
        } catch {
          context.close(promise: nil)
        }
      case .failure(let error): unauthenticated.refuse(side.explain(error))
      }
    }
    if let desk {
      let entrance = RelayEntrance(desk) {
        unauthenticated.authenticated()
        handshake.cancel()
      }
      try channel.pipeline.syncOperations.addHandler(entrance)
    }
    try channel.pipeline.syncOperations.addHandlers([
      unauthenticated, NIOSSLServerHandler(context: side.context), handshake,
    ])
  }

  private func connection(
    on channel: any Channel, _ counter: ByteCounter, fingerprint: String? = nil
  ) throws -> TCPConnection {
    try TCPConnection(
      channel: channel, counter: counter, limits: limits, budget: budget,
      closingTimeout: closingTimeout, fingerprint: fingerprint)
  }
}
