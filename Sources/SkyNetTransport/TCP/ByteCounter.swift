import NIOCore
import Synchronization

/// Counts bytes as they come off the socket, before they make a whole frame: a part of a large frame is a
/// sign of life too.
final class ByteCounter: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  let total = Atomic<Int>(0)

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    total.add(unwrapInboundIn(data).readableBytes, ordering: .relaxed)
    context.fireChannelRead(data)
  }
}
