import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
package import SkyNetCore
import Synchronization

/// A small HTTP/1.1 server for people and programs that look at this process. It answers GET and HEAD, and takes
/// no bodies, so that nothing can be changed by it.
///
/// It is Hummingbird's, on the event loops that the connections between systems have too. Its clients cannot
/// take much: there are limits on their number, on the headers, on the time in which a request is sent and a
/// reply other than a stream is taken, and on how fast they may ask.
package struct WebServer: Sendable {
  package typealias Responder = @Sendable (WebRequest) async -> WebReply

  /// The most connections. A further one takes the place of another, see `OpenConnections`.
  package static let connectionLimit = 64
  /// The most bytes of all headers of a request, and their number.
  package static let (headerBytes, headerCount) = (16_384, 64)
  /// A connection that sends no whole request for this long is closed.
  package static let idleSeconds = 30
  /// A reply other than a stream that its client has not taken after this long is cut off.
  private static let replySeconds = 120
  /// The system keeps at most about this many bytes that a client has not taken, so that one that comes back
  /// does not get minutes of the past.
  private static let sendBuffer = 131_072

  private let endpoint: Endpoint
  private let respond: Responder

  /// - Parameter endpoint: where it listens; port 0 stands for any free one.
  package init(at endpoint: Endpoint, respond: @escaping Responder) {
    self.endpoint = endpoint
    self.respond = respond
  }

  /// Listens, calls `body` with the address, and serves until that returns. Then all connections are closed.
  ///
  /// - Throws: ``WebServerError`` if it cannot listen, before `body` is called; what `body` throws.
  nonisolated(nonsending) package func serve<Result: Sendable>(
    _ body: nonisolated(nonsending) (Endpoint) async throws -> Result
  ) async throws -> Result {
    let connections = OpenConnections(limit: Self.connectionLimit)
    let (addresses, listening) = AsyncStream<Endpoint>.makeStream()
    let server = server(connections) { port in
      listening.yield(Endpoint(host: endpoint.host, port: port))
    }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { listening.finish() }
        do {
          try await server.run()
        } catch {
          throw WebServerError(endpoint, error)
        }
      }
      defer {
        group.cancelAll()
        connections.close()
      }
      for await address in addresses { return try await body(address) }
      _ = try await group.next()
      throw CancellationError()
    }
  }

  private func server(
    _ connections: OpenConnections, listening: @escaping @Sendable (_ port: Int) -> Void
  ) -> Server<HTTP1Channel> {
    // What clients do wrong is no news for a log.
    let logger = Logger(label: "skynet.web") { _ in SwiftLogNoOpLogHandler() }
    let pace = Mutex(RequestPace(at: .now))
    let channel = HTTP1Channel(
      responder: { request, writer, channel in
        let pause = pace.withLock { $0.next(at: .now) }
        if pause > .zero { try await Task.sleep(for: pause) }
        let reply = await self.reply(to: request)
        if reply.body.isStream { connections.set(.streams, channel) }
        defer { connections.set(.waits, channel) }
        try await write(reply, to: request, writer, channel)
      },
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [ConnectionCounter(connections)],
        idleTimeout: .seconds(Int64(Self.idleSeconds)),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: Self.headerBytes, maxHeaderListSize: Self.headerBytes,
          maxHeaderFieldCount: Self.headerCount)))
    return Server(
      childChannelSetup: channel,
      configuration: ServerConfiguration(
        address: .hostname(endpoint.host, port: endpoint.port)),
      onServerRunning: { channel in
        // A lack of descriptors would end the server, although it passes.
        try? await channel.pipeline.addHandler(AcceptFaults(), position: .first)
        listening(channel.localAddress?.port ?? endpoint.port)
      },
      // One of the event loops is enough for what people look at.
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton.next(), logger: logger)
  }

  // MARK: Answers

  private func write(
    _ reply: WebReply, to request: Request, _ writer: consuming ResponseWriter,
    _ channel: any Channel
  ) async throws {
    var fields = HTTPFields()
    for (name, value) in reply.headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    if case .bytes(let bytes) = reply.body { fields[.contentLength] = "\(bytes.count)" }
    if reply.status >= 400 { fields[.connection] = "close" }
    // The idle timeout does not count while a reply is written.
    let patience =
      reply.body.isStream
      ? nil
      : channel.eventLoop.scheduleTask(in: .seconds(Int64(Self.replySeconds))) {
        channel.close(promise: nil)
      }
    defer { patience?.cancel() }
    let head = HTTPResponse(status: .init(code: reply.status), headerFields: fields)
    if request.method == .head {
      try await writer.writeResponse(head)
    } else {
      var body = try await writer.writeHead(head)
      switch reply.body {
      case .bytes(let bytes): try await body.write(ByteBuffer(bytes: bytes))
      case .stream(let produce):
        try? await channel.setOption(.socketOption(.so_sndbuf), value: .init(Self.sendBuffer)).get()
        try await produce { try await body.write(ByteBuffer(bytes: $0)) }
      }
      try await body.finish(nil)
    }
    // The rest of a request that was refused need not be read.
    if reply.status >= 400 { throw Refusal() }
  }

  private func reply(to request: Request) async -> WebReply {
    guard request.method == .get || request.method == .head else {
      return .text("only GET and HEAD", status: 405, headers: ["Allow": "GET, HEAD"])
    }
    guard request.headers[.contentLength].map({ $0 == "0" }) ?? true,
      request.headers[.transferEncoding] == nil
    else {
      return .text("no bodies", status: 413)
    }
    return await respond(
      WebRequest(
        target: request.head.path ?? "", host: request.head.authority, fields: request.headers))
  }

  /// Ends a connection whose request was refused.
  private struct Refusal: Error {}
}

/// Keeps a listener that lacks descriptors or memory for a connection.
private final class AcceptFaults: ChannelInboundHandler, Sendable {
  typealias InboundIn = any Channel

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is IOError else { return context.fireErrorCaught(error) }
    // The connection stays in the queue, so that without a pause the listener would try without end.
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    let channel = context.channel
    context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(500)) {
      try? channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }
}
