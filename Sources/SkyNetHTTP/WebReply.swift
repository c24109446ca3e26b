/// What a server answers.
package struct WebReply: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Bytes as they come. The closure writes them with what it gets, which returns when there is room for
    /// more, and throws when the client is gone. The connection ends with an error that the closure throws.
    case stream(
      @Sendable (_ write: (_ bytes: [UInt8]) async throws -> Void) async throws -> Void)

    var isStream: Bool { if case .stream = self { true } else { false } }
  }

  /// The headers of every reply, unless it has its own of that name: nothing of it is kept, guessed at, shown
  /// in a frame, loaded by another page, or told to the next server.
  private static let usualHeaders = [
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  ]

  package let status: Int
  package let headers: [String: String]
  package let body: Body

  package init(
    status: Int = 200, type: String, headers: [String: String] = [:], body: Body
  ) {
    self.status = status
    self.headers = Self.usualHeaders.merging(headers) { $1 }.merging(["Content-Type": type]) { $1 }
    self.body = body
  }

  /// A line of plain text.
  package static func text(
    _ text: String, status: Int = 200, headers: [String: String] = [:]
  ) -> WebReply {
    WebReply(
      status: status, type: "text/plain; charset=utf-8", headers: headers,
      body: .bytes(Array("\(text)\n".utf8)))
  }
}
