import NIOCore
import SkyNetCluster

/// Stands behind a listener's socket: where a connection cannot be taken, for want of descriptors or
/// memory, leaves the socket alone for a moment, and tells of it, once while that lasts.
///
/// The connection stays in the socket's queue, and the socket is ready again at once: without the
/// pause the listener would try without end, and take a core. NIO's `AcceptBackoffHandler` holds
/// back the next read, and the socket stays awaited all the same.
final class AcceptFaultHandler: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let pause = TimeAmount.milliseconds(200)
  /// After so long without a fault the next one is news. A table that is full has room now and
  /// then, whenever a peer leaves.
  private static let calm = TimeAmount.minutes(1)

  private let tell: (TransportError) -> Void
  private var last: NIODeadline?

  init(tell: @escaping (TransportError) -> Void) {
    self.tell = tell
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, IOReason.isShortage(error.errnoCode) {
      rest(context.channel)
      let now = context.eventLoop.now
      if last.map({ now - $0 >= Self.calm }) ?? true {
        tell(
          TransportError(
            .cannotAccept, "no connection can be taken: \(IOReason.text(for: error))", cause: error)
        )
      }
      last = now
    }
    context.fireErrorCaught(error)
  }

  private func rest(_ channel: any Channel) {
    read(channel, false)
    channel.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { self.read(channel, true) }
  }

  private func read(_ channel: any Channel, _ reads: Bool) {
    // A listener that is closed has nothing to read.
    try? channel.syncOptions?.setOption(.autoRead, value: reads)
  }
}
