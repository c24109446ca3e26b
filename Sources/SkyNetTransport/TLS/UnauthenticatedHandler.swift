import NIOCore
import SkyNetCluster
import SkyNetCore

/// Stands before TLS while a connection is unauthenticated: bounds what the peer may send, recognises by the
/// first byte a peer that does not speak TLS, and leaves the pipeline when the handshake is complete.
final class UnauthenticatedHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The first byte of a TLS handshake.
  private static let handshake: UInt8 = 22

  private let limiter: UnauthenticatedLimiter
  private let limits: UnauthenticatedLimits
  private let report: (TransportError) -> Void
  private var context: ChannelHandlerContext?
  /// The connection's place in the limiter, for as long as it counts there.
  private var id: UnauthenticatedLimiter.ID?
  private var received = 0
  private var isRefused = false

  /// - Parameter report: called at most once, with the reason why the peer was refused.
  init(
    limiter: UnauthenticatedLimiter, limits: UnauthenticatedLimits,
    report: @escaping (TransportError) -> Void
  ) {
    self.limiter = limiter
    self.limits = limits
    self.report = report
  }

  /// The peer has authenticated itself: removes this handler.
  func authenticated() {
    leaveLimiter()
    if let context { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
  }

  /// Ends the connection at once, without TLS's closing messages, which would wait for an answer.
  func refuse(_ error: TransportError) {
    guard !isRefused, id != nil, let context else { return }
    isRefused = true
    leaveLimiter()
    report(error)
    context.close(promise: nil)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    id = limiter.add { [eventLoop = context.eventLoop] in
      eventLoop.execute {
        bound.value.refuse(TransportError(.refused, "too many unauthenticated connections"))
      }
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    let bytes = unwrapInboundIn(data)
    if received == 0, let first = bytes.readableBytesView.first, first != Self.handshake {
      return refusePlain(bytes, context)
    }
    received += bytes.readableBytes
    guard received <= limits.bytes else {
      return refuse(
        TransportError(.refused, "it sent \(received) bytes without authenticating itself"))
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    leaveLimiter()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    leaveLimiter()
    self.context = nil
  }

  private func leaveLimiter() {
    if let id { limiter.remove(id) }
    id = nil
  }

  /// Refuses a peer that does not speak TLS. A SkyNet peer without encryption first gets a goodbye that it
  /// can read.
  private func refusePlain(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard FrameHeader.isBegunBy(bytes.readableBytesView) else {
      return refuse(TransportError(.refused, "it does not speak TLS"))
    }
    let goodbye = WireError(
      .notSkyNet,
      "this side takes encrypted connections only: run both with the cluster key, "
        + "or both with --insecure")
    var buffer = context.channel.allocator.buffer(capacity: 256)
    buffer.writeFrame(Message(.goodbye, encoding: Goodbye(goodbye)).frame)
    context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    refuse(TransportError(.refused, "it runs with --insecure, and this side does not"))
  }
}
