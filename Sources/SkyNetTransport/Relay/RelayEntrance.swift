import NIOCore
import SkyNetCore

/// Stands before all else where a listener relays connections: tells by the first bytes whether a connection is for
/// this process, and leaves the pipeline if so, or else makes it one end of a relayed connection.
final class RelayEntrance: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let desk: RelayDesk
  private let entered: () -> Void
  private var arrived: ByteBuffer?

  /// - Parameter entered: called when the connection has brought a ticket that is expected. What follows in the
  ///   pipeline hears nothing more.
  init(_ desk: RelayDesk, entered: @escaping () -> Void) {
    self.desk = desk
    self.entered = entered
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = arrived ?? context.channel.allocator.buffer(capacity: 0)
    bytes.writeImmutableBuffer(unwrapInboundIn(data))
    arrived = nil
    let head = bytes.readableBytesView.prefix(RelayTicket.byteCount)
    guard RelayTicket.isBegunBy(head) else { return leave(bytes, context) }
    guard head.count == RelayTicket.byteCount else {
      arrived = bytes
      return context.read()
    }
    // A ticket that is not expected is left to what follows, which refuses it like any bytes that are not TLS.
    guard let ticket = RelayTicket(head), desk.expects(ticket) else {
      return leave(bytes, context)
    }
    bytes.moveReaderIndex(forwardBy: RelayTicket.byteCount)
    let end = RelayEnd(arrived: bytes)
    do {
      try context.pipeline.syncOperations.addHandler(end, position: .before(self))
    } catch {
      return context.close(promise: nil)
    }
    entered()
    desk.enter(end.port(on: context.eventLoop), with: ticket)
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  private func leave(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    context.fireChannelRead(NIOAny(bytes))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}

/// Begins a connection with a ticket, and leaves the pipeline.
final class RelayTicketSender: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let ticket: RelayTicket

  init(_ ticket: RelayTicket) { self.ticket = ticket }

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(
      wrapOutboundOut(ByteBuffer(bytes: ticket.bytes)), promise: nil)
    context.fireChannelActive()
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}
