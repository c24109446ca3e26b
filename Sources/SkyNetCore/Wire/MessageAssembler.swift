import struct Foundation.Data

/// Makes messages of the frames that one connection receives, by putting chunks where they belong.
package struct MessageAssembler: Sendable {
  private struct Partial {
    var message: Message
    let bulkCount: Int
    /// For how many bulk bytes there is room.
    private var capacity = 0

    init(message: Message, bulkCount: Int) {
      self.message = message
      self.bulkCount = bulkCount
    }

    /// What its sender has sent of it.
    var byteCount: Int { message.body.count + message.bulk.count }

    /// What its place in the table costs, as messages can be announced that have no bytes yet.
    static let overhead = 512

    /// Adds bytes, with room for `ahead` more or for as many again: not for all that were
    /// announced, which cost the sender nothing, and not for these alone, which would copy all anew
    /// each time.
    mutating func append(_ bytes: Data, roomAhead ahead: Int) {
      let needed = message.bulk.count + bytes.count
      if needed > capacity {
        capacity = min(bulkCount, needed + max(needed, ahead))
        message.bulk.reserveCapacity(capacity)
      }
      message.bulk.append(bytes)
    }
  }

  private struct Key: Hashable {
    let isReply: Bool
    let call: UInt64
  }

  /// For how many bytes that were only announced there is room in a message, and in how many messages:
  /// a few sectors of the usual size are put together without moving what has come of them.
  private static let roomAhead = (bytes: 1 << 20, messages: 16)

  /// Messages whose chunks are still coming. A call and a reply may have the same id, as each
  /// side numbers its own calls; which of the two a chunk is for, its `target` says.
  private var partial: [Key: Partial] = [:]
  /// The bytes of them that were sent so far.
  private var byteCount = 0
  /// What it costs to hold them, in bytes: more than was sent of them.
  package var held: Int { byteCount + partial.count * Partial.overhead }
  private let limits: WireLimits

  package init(limits: WireLimits = WireLimits()) {
    self.limits = limits
  }

  /// Takes the next frame, and returns the message that it completes, if it does.
  package mutating func receive(_ frame: Frame) throws(WireError) -> Message? {
    let header = frame.header
    switch header.kind {
    case .call, .reply:
      let message = Message(
        header.kind, target: header.target, call: header.call, body: frame.body)
      guard header.bulkCount > 0 else { return message }
      let key = Key(isReply: header.kind == .reply, call: header.call)
      guard partial[key] == nil else {
        throw WireError(
          .unexpected, "a second \(header.kind) \(header.call) amid the first's chunks")
      }
      guard partial.count < WireLimits.partialMessages else {
        throw .tooMuch(
          "messages that are not whole", partial.count + 1, limit: WireLimits.partialMessages)
      }
      try hold(frame.body.count)
      partial[key] = Partial(message: message, bulkCount: Int(header.bulkCount))
      return nil
    case .chunk:
      return try receiveChunk(frame)
    case .cancel:
      drop(Key(isReply: false, call: header.call))
      return Message(.cancel, call: header.call)
    case .failure:
      // The other side may give up a reply whose chunks are on their way.
      drop(Key(isReply: true, call: header.call))
      fallthrough
    default:
      return Message(header.kind, target: header.target, call: header.call, body: frame.body)
    }
  }

  private mutating func receiveChunk(_ frame: Frame) throws(WireError) -> Message? {
    let key = Key(
      isReply: frame.header.target == FrameKind.reply.rawValue, call: frame.header.call)
    // Taken out while it grows, so that its bytes have one owner and are not copied.
    guard var entry = partial.removeValue(forKey: key) else {
      throw WireError(.unexpected, "a chunk of \(frame.header.call), which awaits none")
    }
    guard !frame.body.isEmpty, frame.body.count <= entry.bulkCount - entry.message.bulk.count else {
      throw WireError(
        .malformed, "\(frame.body.count) bytes of chunk do not fit message \(frame.header.call)")
    }
    try hold(frame.body.count)
    let hasRoom = partial.count < Self.roomAhead.messages
    entry.append(frame.body, roomAhead: hasRoom ? Self.roomAhead.bytes : 0)
    if entry.message.bulk.count == entry.bulkCount {
      byteCount -= entry.byteCount
      return entry.message
    }
    partial[key] = entry
    return nil
  }

  /// Forgets what is not whole: nothing more will come.
  package mutating func dropAll() {
    partial = [:]
    byteCount = 0
  }

  private mutating func drop(_ key: Key) {
    if let entry = partial.removeValue(forKey: key) { byteCount -= entry.byteCount }
  }

  /// - Throws: `WireError` if these bytes are too many.
  private mutating func hold(_ count: Int) throws(WireError) {
    guard byteCount + count <= limits.held else {
      throw .tooMuch("messages under way", byteCount + count, limit: limits.held)
    }
    byteCount += count
  }
}
