import NIOCore
import SkyNetCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    let end = RelayEnd(on: context.eventLoop, arrived: bytes)
    do {
      try context.pipeline.syncOperations.addHandler(end, position: .before(self))
    } catch {
      return context.close(promise: nil)
    }
    entered()
    context.channel.keepAlive()
    // The other two may have come, or the time may be over, since the ticket was looked up.
    if !desk.enter(end.port, with: ticket) { context.close(promise: nil) }
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  private func leave(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    context.fireChannelRead(NIOAny(bytes))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}

extension Channel {
  /// Has the kernel find out within a minute or two that a silent peer's machine is gone. The ends of a relayed
  /// connection have a heartbeat, which this process cannot read.
  fileprivate func keepAlive() {
    var options: [(ChannelOptions.Types.SocketOption, Int)] = [
      (ChannelOptions.Types.SocketOption(level: .socket, name: .so_keepalive), 1)
    ]
    #if os(Linux)
      for (name, value) in [(TCP_KEEPIDLE, 30), (TCP_KEEPINTVL, 10), (TCP_KEEPCNT, 6)] {
        let option = NIOBSDSocket.Option(rawValue: name)
        options.append((ChannelOptions.Types.SocketOption(level: .tcp, name: option), value))
      }
    #endif
    for (option, value) in options {
      _ = setOption(option, value: ChannelOptions.Types.SocketOption.Value(value))
    }
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
