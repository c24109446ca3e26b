/// A breach of the protocol by a peer. It ends that peer's connection, and nothing else.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable, Codable {
    /// The bytes are not a SkyNet frame.
    case notSkyNet
    /// The kind of a frame is not one of ``FrameKind``.
    case unknownKind
    /// A frame or a message is larger than the limit.
    case tooLarge
    /// A peer has more under way than it may.
    case tooMuch
    /// A frame came in a state in which it is not allowed.
    case unexpected
    /// A body or its bulk bytes are not as the kind of frame demands.
    case malformed
    /// The peer speaks another version of the protocol.
    case protocolVersion
    /// The connection ended in the middle of a frame.
    case truncated
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  static func notSkyNet(_ bytes: some Sequence<UInt8>, isFirst: Bool) -> WireError {
    let text = String(
      bytes.map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "." })
    guard isFirst else {
      return WireError(
        .notSkyNet,
        "the connection broke: what arrived is not what was sent (a frame begins with \"\(text)\")")
    }
    // A handshake record of TLS 1.0 or later (RFC 8446, section 5.1).
    if bytes.starts(with: [0x16, 0x03]) {
      return WireError(
        .notSkyNet, "it speaks TLS, and this side runs with --insecure: run both the same way")
    }
    return WireError(.notSkyNet, "not a SkyNet peer: it sent \"\(text)\"")
  }

  package static func noHello(within patience: Duration) -> WireError {
    WireError(
      .notSkyNet,
      "not a SkyNet peer: it did not introduce itself within \(patience.inTenths) s; where round "
        + "trips take that long, give both sides a longer --timeout")
  }

  static func tooLarge(_ what: String, _ count: some BinaryInteger, limit: Int) -> WireError {
    WireError(.tooLarge, "\(what) is too large (\(count) bytes), at most \(limit) is allowed")
  }

  package static func tooMuch(
    _ what: String, _ count: some BinaryInteger, limit: Int
  ) -> WireError {
    WireError(.tooMuch, "too much under way: \(what) (\(count), at most \(limit) allowed)")
  }

  static func otherVersion(_ theirs: Int) -> WireError {
    // The peer gets the same text, so it names no side.
    let ours = SkyNetVersion.wireProtocol
    return WireError(
      .protocolVersion,
      "protocol version \(theirs) and protocol version \(ours) have nothing in common: update the SkyNet of "
        + "version \(min(ours, theirs))")
  }
}
