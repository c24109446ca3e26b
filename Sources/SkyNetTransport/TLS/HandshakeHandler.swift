import NIOCore
import NIOSSL
import NIOTLS
import SkyNetCluster
import SkyNetCore

/// Stands behind TLS: reports how the handshake ended, and afterwards puts TLS's errors into plain words.
final class HandshakeHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let timeout: Duration
  private var ended: ((Result<Void, TransportError>, ChannelHandlerContext) -> Void)?
  private var timer: Scheduled<Void>?
  private var began: NIODeadline?
  /// Whether anything has arrived since the handshake.
  private var hasHeard = false

  /// - Parameters:
  ///   - timeout: how long the handshake may take.
  ///   - ended: called once, with the handshake's result.
  init(
    timeout: Duration,
    ended: @escaping (Result<Void, TransportError>, ChannelHandlerContext) -> Void
  ) {
    self.timeout = timeout
    self.ended = ended
  }

  /// There will be no handshake.
  func cancel() {
    timer?.cancel()
    (timer, ended) = (nil, nil)
  }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    began = context.eventLoop.now
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(in: TimeAmount(timeout)) {
      let (handler, context) = bound.value
      handler.fail(
        TransportError(
          .connectionLost,
          "it did not authenticate itself within \(handler.timeout.inTenths) s; where round trips "
            + "take that long, give both sides a longer --timeout"), context)
    }
    // The first read. TLS asks for more by itself, and `ConnectionHandler` is not in the pipeline yet.
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
    // No fault: `channelInactive` follows, and `FrameDecoder` notices a message that was cut off.
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
    // Only counts if the channel never became active.
    fail(.lost(after: elapsed(context)), context)
  }

  /// How long the handshake has taken so far.
  private func elapsed(_ context: ChannelHandlerContext) -> Duration {
    Duration(began.map { context.eventLoop.now - $0 } ?? .zero)
  }

  private func fail(_ error: TransportError, _ context: ChannelHandlerContext) {
    end(.failure(error), context)
  }

  private func end(_ result: Result<Void, TransportError>, _ context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    let ended = ended
    self.ended = nil
    ended?(result, context)
  }
}
