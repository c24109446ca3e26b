import NIOCore
import NIOHTTP1

/// A connection of a client, which gets a reply to one request after the other.
struct WebConnection: Sendable {
  typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, HTTPPart<HTTPResponseHead, ByteBuffer>>
  private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPPart<HTTPResponseHead, ByteBuffer>>

  /// The system keeps at most about this many bytes that a client has not taken, so that one that comes back
  /// does not get minutes of the past.
  private static let sendBuffer = 131_072

  private let channel: Channel

  init(_ channel: Channel) { self.channel = channel }

  /// Adds the handlers of HTTP to a connection that was accepted.
  static func prepare(_ channel: any NIOCore.Channel, countedBy connections: OpenConnections) throws
    -> Channel
  {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = WebServer.headerBytes
    limits.maxHeaderListSize = WebServer.headerBytes
    limits.maxHeaderFieldCount = WebServer.headerCount
    let pipeline = channel.pipeline.syncOperations
    // `serve` reads the next request after the reply to the one before, and so keeps the replies to what is no request
    // in their place.
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: false,
      withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
    try pipeline.addHandler(WebConnectionHandler(connections))
    return try Channel(
      wrappingChannelSynchronously: channel,
      configuration: .init(isOutboundHalfClosureEnabled: true))
  }

  /// Answers requests until one of both sides ends the connection, or the task is cancelled.
  ///
  /// - Throws: what was wrong with the connection, which is closed then.
  func serve(_ reply: (HTTPRequestHead) async throws -> WebReply) async throws {
    try await withTaskCancellationHandler {
      try await channel.executeThenClose { parts, writer in
        do {
          for try await part in parts {
            // Bodies are refused when their head comes, so what else comes is the end of a request.
            guard case .head(let request) = part else { continue }
            let reply = try await reply(request)
            let isLast = isLast(reply, to: request)
            try await write(reply, to: request, isLast: isLast, writer)
            if isLast { break }
          }
        } catch is HTTPParserError {
          let headers: HTTPHeaders = ["Content-Length": "0", "Connection": "close"]
          try await writer.write(
            .head(.init(version: .http1_1, status: .badRequest, headers: headers)))
          try await writer.write(.end(nil))
        }
        // The handler ends the connection when the last reply is with the client.
        try await channel.channel.closeFuture.get()
      }
    } onCancel: {
      channel.channel.close(promise: nil)
    }
  }

  /// Whether the connection ends with a reply: the client asked for that, or what follows cannot be told from its end.
  private func isLast(_ reply: WebReply, to request: HTTPRequestHead) -> Bool {
    reply.status >= 400 || !request.isKeepAlive || request.version != .http1_1
      || request.wantsUpgrade
      || (request.method == .HEAD && reply.body.isStream)
  }

  private func write(
    _ reply: WebReply, to request: HTTPRequestHead, isLast: Bool, _ writer: Writer
  ) async throws {
    var head = HTTPResponseHead(
      version: .http1_1, status: .init(statusCode: reply.status),
      headers: HTTPHeaders(reply.headers.map { ($0, $1) }))
    if case .bytes(let bytes) = reply.body {
      head.headers.add(name: "Content-Length", value: "\(bytes.count)")
    } else if request.method == .HEAD || request.version != .http1_1 {
      // The end of the connection is that of the stream, in place of a last chunk, which HEAD must not have.
      head.version = .http1_0
    }
    if isLast { head.headers.add(name: "Connection", value: "close") }
    try await writer.write(.head(head))
    if request.method != .HEAD {
      switch reply.body {
      case .bytes(let bytes): try await writer.write(.body(ByteBuffer(bytes: bytes)))
      case .stream(let produce):
        let size = ChannelOptions.Types.SocketOption.Value(Self.sendBuffer)
        try? await channel.channel.setOption(.socketOption(.so_sndbuf), value: size).get()
        try await produce { try await writer.write(.body(ByteBuffer(bytes: $0))) }
      }
    }
    try await writer.write(.end(nil))
  }
}

extension HTTPRequestHead {
  /// After such a request NIO's decoder keeps what comes for whoever speaks the other protocol, without a bound.
  var wantsUpgrade: Bool { method == .CONNECT || headers.contains(name: "Upgrade") }
}
