/// How much one peer may ask another to hold.
package struct WireLimits: Hashable, Sendable {
  /// The largest body of a frame, in bytes. Larger bodies allow larger settings and outputs, and
  /// let one frame hold up a ping for longer.
  package var body: Int
  /// The most bulk bytes of one message.
  package var bulk: Int
  /// The most bytes that a peer may have under way at a time: in messages whose chunks are still
  /// coming, and again in calls that are not answered. At least as many as one message may have.
  package var held: Int
  /// How many bytes of calls a peer is told that it may have unanswered: less than it may, as it hears
  /// of an answer just before the call's bytes are not counted any more.
  package var announcedHeld: Int { max(0, held - body) }
  /// The largest body of a frame that carries no work, in bytes: introductions, failures, goodbyes.
  package static let hello = 64 * 1024
  /// The most messages of one peer that are announced and not whole. A sender has as many at most as
  /// it has calls to make or to answer.
  package static let partialMessages = 65_536
  /// The largest chunk that bulk bytes are sent in. A ping waits for at most one.
  package static let chunk = 256 * 1024

  package init(body: Int = 16 << 20, bulk: Int = 1 << 30, held: Int? = nil) {
    self.body = body
    self.bulk = bulk
    self.held = held ?? body + bulk
  }

  func check(_ header: FrameHeader) throws(WireError) {
    let body =
      switch header.kind {
      case .chunk: Self.chunk
      case .call, .reply: self.body
      // None of the others carries work.
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
