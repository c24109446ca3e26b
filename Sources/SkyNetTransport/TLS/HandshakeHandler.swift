import NIOCore
import NIOSSL
import NIOTLS
import SkyNetCluster
import SkyNetCore

/// Stands behind TLS: tells when both ends have shown who they are, and later says in plain words
/// what goes wrong with the encryption.
final class HandshakeHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let patience: Duration
  private var ended: ((Result<Void, TransportError>, ChannelHandlerContext) -> Void)?
  private var limit: Scheduled<Void>?
  private var began: NIODeadline?
  /// Whether the peer has said anything since the handshake.
  private var hasHeard = false

  /// - Parameter ended: told once how the handshake ended.
  init(
    patience: Duration,
    ended: @escaping (Result<Void, TransportError>, ChannelHandlerContext) -> Void
  ) {
    self.patience = patience
    self.ended = ended
  }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    began = context.eventLoop.now
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    limit = context.eventLoop.scheduleTask(in: TimeAmount(patience)) {
      let (handler, context) = bound.value
      handler.fail(
        TransportError(
          .connectionLost,
          "it did not show within \(handler.patience.inTenths) s who it is; where round trips take "
            + "that long, give both sides a longer --timeout"), context)
    }
    // Nobody reads yet but TLS, which asks for more by itself.
    context.read()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted = event as? TLSUserEvent { end(.success(()), context) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    hasHeard = true
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if ended != nil {
      return fail(TLSFault.ofHandshake(error, after: elapsed(context)), context)
    }
    switch error {
    // The end of the bytes tells as much; whether a message was cut off is seen by its frame.
    case NIOSSLError.uncleanShutdown, is NIOSSLCloseTimedOutError: break
    case is NIOSSLError, is BoringSSLError:
      context.fireErrorCaught(TLSFault.afterHandshake(error, hasHeard: hasHeard))
    default: context.fireErrorCaught(error)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(.lost(after: elapsed(context)), context)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    // Where it never came to a connection.
    fail(.lost(after: elapsed(context)), context)
  }

  /// Since the connection was there.
  private func elapsed(_ context: ChannelHandlerContext) -> Duration {
    Duration(began.map { context.eventLoop.now - $0 } ?? .zero)
  }

  private func fail(_ error: TransportError, _ context: ChannelHandlerContext) {
    end(.failure(error), context)
  }

  private func end(_ result: Result<Void, TransportError>, _ context: ChannelHandlerContext) {
    limit?.cancel()
    limit = nil
    let ended = ended
    self.ended = nil
    ended?(result, context)
  }
}
