import NIOCore

/// One of two connections that are joined: passes on to the other what arrives here.
///
/// It reads no more until the other connection has taken what was read before, so a slow peer slows the other one
/// down, and this process holds little for either. It stands at the head of the pipeline: what follows it sees nothing
/// of the connection any more.
final class RelayEnd: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// An end, as other threads see it.
  struct Port: Sendable {
    fileprivate let end: NIOLoopBound<RelayEnd>
    private let eventLoop: any EventLoop

    fileprivate init(_ end: RelayEnd, _ eventLoop: any EventLoop) {
      self.end = NIOLoopBound(end, eventLoop: eventLoop)
      self.eventLoop = eventLoop
    }

    /// Passes on to another end from now on.
    func begin(with other: Port) {
      eventLoop.execute { end.value.begin(with: other) }
    }

    /// Closes the connection.
    func close() {
      eventLoop.execute { end.value.close() }
    }

    /// Sends bytes, and completes the future when the connection has taken them.
    fileprivate func send(_ bytes: [ByteBuffer]) -> EventLoopFuture<Void> {
      let taken = eventLoop.makePromise(of: Void.self)
      eventLoop.execute { end.value.send(bytes, taken) }
      return taken.futureResult
    }
  }

  private var context: ChannelHandlerContext?
  private var other: Port?
  /// What has arrived, and was not passed on yet.
  private var arrived: [ByteBuffer]
  /// Whether the other connection has not taken yet what was passed on.
  private var isPassingOn = false
  private var isClosed = false

  /// - Parameter arrived: what the connection has brought behind its ticket.
  init(arrived: ByteBuffer) { self.arrived = arrived.readableBytes == 0 ? [] : [arrived] }

  /// To be called when the handler is in its pipeline.
  func port(on eventLoop: any EventLoop) -> Port { Port(self, eventLoop) }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    arrived.append(unwrapInboundIn(data))
  }

  func channelReadComplete(context: ChannelHandlerContext) { passOn() }

  func channelInactive(context: ChannelHandlerContext) {
    isClosed = true
    passOn()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

  private func begin(with other: Port) {
    self.other = other
    passOn()
  }

  /// Passes on what has arrived, then reads more; then, if the connection is closed, closes the other one.
  private func passOn() {
    guard let other, !isPassingOn else { return }
    guard !arrived.isEmpty else {
      if isClosed { other.close() } else { context?.read() }
      return
    }
    isPassingOn = true
    let bytes = arrived
    arrived = []
    guard let eventLoop = context?.eventLoop else { return other.close() }
    let bound = NIOLoopBound(self, eventLoop: eventLoop)
    other.send(bytes).hop(to: eventLoop).whenComplete { result in
      let end = bound.value
      end.isPassingOn = false
      if case .failure = result { end.close() } else { end.passOn() }
    }
  }

  private func send(_ bytes: [ByteBuffer], _ taken: EventLoopPromise<Void>) {
    guard let context, let last = bytes.last else {
      return taken.fail(ChannelError.ioOnClosedChannel)
    }
    for bytes in bytes.dropLast() { context.write(wrapOutboundOut(bytes), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(last), promise: taken)
  }

  private func close() { context?.close(promise: nil) }
}
