import NIOCore
import NIOHTTP1

/// Keeps the time of a connection, and its place among those of its server, and closes it.
///
/// A client has ``WebServer/idleSeconds`` for a request, from when the reply before is with it, and
/// ``WebServer/replySeconds`` to take a reply other than a stream.
final class WebConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPPart<HTTPResponseHead, ByteBuffer>
  typealias OutboundOut = HTTPServerResponsePart

  private let connections: OpenConnections
  private var deadline: Scheduled<Void>?
  /// The requests whose reply is not yet with the client.
  private var openRequests = 0
  /// Whether the client has ended its side.
  private var inputIsClosed = false
  /// Whether nothing that the client sends is read any more.
  private var readsNoMore = false
  /// Whether the reply that is written is the connection's last.
  private var isLastReply = false

  init(_ connections: OpenConnections) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) {
    connections.add(context.channel)
    close(context, in: WebServer.idleSeconds)
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  // MARK: Requests

  /// The headers of a request are whole. The reply is made on other threads, which may be busy; its client is not
  /// waited for meanwhile.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let request) = unwrapInboundIn(data) {
      openRequests += 1
      if openRequests == 1 {
        deadline?.cancel()
        connections.set(.isAnswered, context.channel)
      }
      if request.wantsUpgrade { readsNoMore = true }
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    if !readsNoMore { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed {
      inputIsClosed = true
      if openRequests == 0 { context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  // MARK: Replies

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      begin(head, context)
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    // Of the two kinds of bodies that NIO's encoder takes, replies have the one that may pass between threads.
    case .body(let bytes):
      context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
    case .end(let trailers):
      let promise = promise ?? context.eventLoop.makePromise()
      promise.futureResult.assumeIsolated().whenSuccess { self.replyIsTaken(context) }
      context.write(wrapOutboundOut(.end(trailers)), promise: promise)
    }
  }

  private func begin(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
    isLastReply = head.headers.contains(name: "Connection")
    // The rest of a request that was refused need not be read.
    if head.status.code >= 400 { readsNoMore = true }
    if head.headers.contains(name: "Content-Length") {
      close(context, in: WebServer.replySeconds)
    } else {
      deadline?.cancel()
      connections.set(.streams, context.channel)
    }
  }

  /// All of a reply is with the system, which sends it.
  private func replyIsTaken(_ context: ChannelHandlerContext) {
    // No request after the last reply gets one. What is no request has a reply, and was not counted.
    openRequests = isLastReply ? 0 : max(0, openRequests - 1)
    deadline?.cancel()
    guard openRequests == 0 else { return connections.set(.isAnswered, context.channel) }
    connections.set(.waits, context.channel)
    // Before the channel is closed, which ends the deadline with it.
    close(context, in: WebServer.idleSeconds)
    if isLastReply || inputIsClosed {
      // A client that has more to say sees the end of the reply, and ends its side. It has as long as for a request.
      context.close(mode: readsNoMore || inputIsClosed ? .all : .output, promise: nil)
    }
  }

  private func close(_ context: ChannelHandlerContext, in seconds: Int) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(seconds))) {
      context.close(promise: nil)
    }
  }
}
