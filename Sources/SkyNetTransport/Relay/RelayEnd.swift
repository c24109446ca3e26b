import NIOCore

/// One of two connections that are joined: passes on to the other what arrives here.
///
/// It reads no more until the other connection has taken what was read before, so a slow peer slows the other one
/// down, and this process holds a few reads for either. It stands at the head of the pipeline: what follows it sees nothing
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

  private enum State {
    /// The other connection has not come yet. Nothing is read meanwhile, but the end of this one is noticed.
    case alone(arrived: [ByteBuffer], isClosed: Bool)
    case joined(Joined)
    /// All has been passed on, or the other connection takes nothing any more.
    case ended
  }

  private struct Joined {
    let other: Port
    /// What has arrived, and was not passed on yet.
    var arrived: [ByteBuffer]
    /// Whether the other connection has not taken yet what was passed on.
    var isPassingOn = false
    /// Whether this connection is closed, so that nothing more arrives.
    var isClosed: Bool
  }

  private let eventLoop: any EventLoop
  private var context: ChannelHandlerContext?
  private var state: State

  /// - Parameter arrived: what the connection has brought behind its ticket.
  init(on eventLoop: any EventLoop, arrived: ByteBuffer) {
    self.eventLoop = eventLoop
    state = .alone(arrived: arrived.readableBytes == 0 ? [] : [arrived], isClosed: false)
  }

  /// This end, for other threads.
  var port: Port { Port(self, eventLoop) }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    switch state {
    case .alone(let arrived, let isClosed):
      state = .alone(arrived: arrived + [bytes], isClosed: isClosed)
    case .joined(var joined):
      joined.arrived.append(bytes)
      state = .joined(joined)
    case .ended: break
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) { passOn() }

  func channelInactive(context: ChannelHandlerContext) {
    switch state {
    case .alone(let arrived, _): state = .alone(arrived: arrived, isClosed: true)
    case .joined(var joined):
      joined.isClosed = true
      state = .joined(joined)
    case .ended: break
    }
    passOn()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

  private func begin(with other: Port) {
    guard case .alone(let arrived, let isClosed) = state else { return }
    state = .joined(Joined(other: other, arrived: arrived, isClosed: isClosed))
    passOn()
  }

  /// Passes on what has arrived, then reads more; or, if this connection is closed, closes the other one then.
  private func passOn() {
    guard case .joined(var joined) = state, !joined.isPassingOn else { return }
    guard !joined.arrived.isEmpty else {
      guard joined.isClosed else { return context?.read() ?? () }
      joined.other.close()
      state = .ended
      return
    }
    let bytes = joined.arrived
    (joined.arrived, joined.isPassingOn) = ([], true)
    state = .joined(joined)
    let bound = NIOLoopBound(self, eventLoop: eventLoop)
    joined.other.send(bytes).hop(to: eventLoop).whenComplete { bound.value.passedOn($0) }
  }

  private func passedOn(_ result: Result<Void, any Error>) {
    guard case .joined(var joined) = state else { return }
    joined.isPassingOn = false
    state = .joined(joined)
    guard case .failure = result else { return passOn() }
    // The other connection is closed. It closes this one when it has passed on all that it had.
    state = .ended
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
