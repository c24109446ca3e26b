import NIOCore
import NIOHTTP1
import NIOPosix
package import SkyNetCore
import Synchronization

/// A small HTTP/1.1 server for people and programs that look at this process. It answers GET and HEAD, and takes
/// no bodies, so that nothing can be changed by it.
///
/// It is made of SwiftNIO's parts, on the event loops that the connections between systems have too. Its clients
/// cannot take much: there are limits on their number, on the headers, on the time in which a request is sent and a
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
  static let replySeconds = 120

  private typealias Listener = NIOAsyncChannel<WebConnection.Channel, Never>

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
    let listener = try await listen(connections)
    let port = listener.channel.localAddress?.port ?? endpoint.port
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await accept(listener) }
      defer { group.cancelAll() }
      return try await body(Endpoint(host: endpoint.host, port: port))
    }
  }

  private func listen(_ connections: OpenConnections) async throws -> Listener {
    do {
      // One of the event loops is enough for what people look at.
      return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AcceptFaults())
          }
        }
        // A client may end its side after its request, and still wait for the reply.
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .bind(host: endpoint.host, port: endpoint.port) { channel in
          channel.eventLoop.makeCompletedFuture {
            try WebConnection.prepare(channel, countedBy: connections)
          }
        }
    } catch {
      throw WebServerError(endpoint, error)
    }
  }

  /// Talks with each client until the task is cancelled.
  private func accept(_ listener: Listener) async throws {
    let pace = Mutex(RequestPace(at: .now))
    let reply: @Sendable (HTTPRequestHead) async throws -> WebReply = { request in
      let pause = pace.withLock { $0.next(at: .now) }
      if pause > .zero { try await Task.sleep(for: pause) }
      return await self.reply(to: request)
    }
    try await listener.executeThenClose { clients in
      try await withThrowingDiscardingTaskGroup { group in
        for try await client in clients {
          // What clients do wrong is no news, and ends their own connection alone.
          group.addTask { try? await WebConnection(client).serve(reply) }
        }
      }
    }
  }

  private func reply(to request: HTTPRequestHead) async -> WebReply {
    guard request.method == .GET || request.method == .HEAD else {
      return .text("only GET and HEAD", status: 405, headers: ["Allow": "GET, HEAD"])
    }
    guard request.headers["Content-Length"].allSatisfy({ $0 == "0" }),
      !request.headers.contains(name: "Transfer-Encoding")
    else {
      return .text("no bodies", status: 413)
    }
    return await respond(WebRequest(target: request.uri, headers: request.headers))
  }
}

/// Keeps a listener that lacks descriptors or memory for a connection: either may pass.
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
