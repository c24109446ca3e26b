/// The limits of what one peer may make another hold.
package struct WireLimits: Hashable, Sendable {
  /// The largest body of a frame, in bytes. A larger limit allows larger settings and outputs, and
  /// lets one frame hold up a ping for longer.
  package var body: Int
  /// The most bulk bytes of one message.
  package var bulk: Int
  /// The most bytes that a peer may have under way at a time: in messages whose chunks are still
  /// arriving, and again as much in unanswered calls. At least as many as one message may have.
  package var held: Int
  /// The bytes of unanswered calls that a peer is told it may have: fewer than it may, because it gets
  /// an answer just before the bytes of that call stop counting.
  package var announcedHeld: Int { max(0, held - body) }
  /// How many settings a peer may have kept for its tasks, and of how many bytes in all.
  package static let keptSettings = (count: 8, bytes: 256 << 20)
  /// The largest body of a frame that carries no work (introductions, failures, goodbyes).
  package static let hello = 64 * 1024
  /// The most messages of one peer that are announced and not whole.
  package static let partialMessages = 65_536
  /// A peer that leaves more bytes of answers unread gets no further ones, until it reads these.
  package static let unread = 64 << 20
  /// The largest chunk of bulk bytes. A ping waits for at most one chunk.
  package static let chunk = 256 * 1024

  package init(body: Int = 16 << 20, bulk: Int = 1 << 30, held: Int? = nil) {
    self.body = body
    self.bulk = bulk
    self.held = held ?? body + bulk
  }

  package func check(_ header: FrameHeader) throws(WireError) {
    let body =
      switch header.kind {
      case .chunk: Self.chunk
      case .call, .reply: self.body
      // Frames of all other kinds carry no work.
      default: min(Self.hello, self.body)
      }
    guard header.bodyCount <= body else {
      throw .tooLarge("a \(header.kind) frame", header.bodyCount, limit: body)
    }
    guard header.bulkCount <= bulk else {
      throw .tooLarge("the bulk bytes of a \(header.kind)", header.bulkCount, limit: bulk)
    }
    guard header.bulkCount == 0 || header.kind == .call || header.kind == .reply else {
      throw WireError(.malformed, "a \(header.kind) frame has no bulk bytes")
    }
  }
}
