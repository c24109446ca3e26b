import NIOCore
import NIOSSL
import SkyNetCluster
import SkyNetCore

/// Makes connections of channels: at once, or, with TLS, when both ends have shown who they are.
struct ConnectionMaker: Sendable {
  let limits: WireLimits
  let budget: MemoryBudget
  let closingTimeout: Duration
  let tls: TransportSecurity.TLS?

  /// A channel whose connection is on its way.
  struct Pending: Sendable {
    let channel: any Channel
    let connection: EventLoopFuture<TCPConnection>
  }

  // To be called on the channel's event loop, by its initializer.

  /// For the side that connects.
  ///
  /// - Parameter patience: how long the handshake may take.
  func connect(_ channel: any Channel, patience: Duration) throws -> Pending {
    let counter = ByteCounter()
    try channel.pipeline.syncOperations.addHandler(counter)
    guard let tls else {
      let connection = try connection(on: channel, counter, serves: false)
      return Pending(
        channel: channel, connection: channel.eventLoop.makeSucceededFuture(connection))
    }
    // Nodes are found by address, and so have no names to check.
    let client = try NIOSSLClientHandler(context: tls.client, serverHostname: nil)
    let promise = channel.eventLoop.makePromise(of: TCPConnection.self)
    let handshake = HandshakeHandler(patience: patience) { result, context in
      promise.completeWith(
        Result {
          try result.get()
          return try connection(on: context.channel, counter, serves: false)
        })
      if case .failure = result { context.close(promise: nil) }
    }
    try channel.pipeline.syncOperations.addHandlers([client, handshake])
    return Pending(channel: channel, connection: promise.futureResult)
  }

  /// For the side that listens.
  ///
  /// - Parameters:
  ///   - accepted: called with the connection when it is there.
  ///   - refused: called instead if it never will be, and somebody should know.
  func accept(
    _ channel: any Channel, _ doorkeeper: Doorkeeper, _ strangers: StrangerLimits,
    accepted: @escaping @Sendable (TCPConnection) -> Void,
    refused: @escaping @Sendable (Refusal) -> Void
  ) throws {
    let counter = ByteCounter()
    try channel.pipeline.syncOperations.addHandler(counter)
    guard let tls else { return accepted(try connection(on: channel, counter, serves: true)) }
    let host = channel.remoteAddress?.ipAddress ?? "an unknown address"
    let gate = StrangerGate(doorkeeper: doorkeeper, limits: strangers) {
      refused(Refusal(host: host, reason: $0.message))
    }
    let handshake = HandshakeHandler(patience: strangers.patience) { result, context in
      switch result {
      case .success:
        gate.open()
        do {
          accepted(try connection(on: context.channel, counter, serves: true))
        } catch {
          context.close(promise: nil)
        }
      case .failure(let error): gate.refuse(error)
      }
    }
    try channel.pipeline.syncOperations.addHandlers([
      gate, NIOSSLServerHandler(context: try tls.serverContext()), handshake,
    ])
  }

  private func connection(
    on channel: any Channel, _ counter: ByteCounter, serves: Bool
  ) throws -> TCPConnection {
    try TCPConnection(
      channel: channel, counter: counter, limits: limits, budget: budget,
      closingTimeout: closingTimeout, serves: serves)
  }
}
