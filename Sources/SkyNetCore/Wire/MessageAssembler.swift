import struct Foundation.Data

/// Puts together the messages that one connection receives in frames.
package struct MessageAssembler: Sendable {
  private struct Partial {
    var message: Message
    let bulkCount: Int
    /// The number of bulk bytes for which memory is reserved.
    var capacity = 0

    var byteCount: Int { message.body.count + message.bulk.count }

    /// The cost of an entry, in bytes. Messages can be announced without any bytes being sent.
    static let overhead = 512

    /// Adds bytes, and reserves memory for `ahead` more or for as many again. Memory for all
    /// announced bytes is not reserved, as announcing costs the sender nothing. Memory for these
    /// bytes alone would mean copying all of them each time.
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

  /// The bytes to reserve ahead in a message, and the number of messages that get this room: a few
  /// sectors of the usual size are put together without being moved.
  private static let roomAhead = (bytes: 1 << 20, messages: 16)

  /// The messages whose chunks are still arriving. A call and a reply may have the same id, as each
  /// side numbers its own calls. The `target` of a chunk says which of the two it belongs to.
  private var partial: [Key: Partial] = [:]
  /// The bytes of these messages that have arrived.
  private var byteCount = 0
  /// The cost of holding these messages, in bytes: more than has arrived.
  package var held: Int { byteCount + partial.count * Partial.overhead }
  private let limits: WireLimits

  package init(limits: WireLimits = WireLimits()) {
    self.limits = limits
  }

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
      try countAsHeld(frame.body.count)
      partial[key] = Partial(message: message, bulkCount: Int(header.bulkCount))
      return nil
    case .chunk:
      return try receiveChunk(frame)
    case .cancel:
      drop(Key(isReply: false, call: header.call))
      return Message(.cancel, call: header.call)
    case .failure:
      // The peer may give up a reply after it has sent some of its chunks.
      drop(Key(isReply: true, call: header.call))
      fallthrough
    default:
      return Message(header.kind, target: header.target, call: header.call, body: frame.body)
    }
  }

  private mutating func receiveChunk(_ frame: Frame) throws(WireError) -> Message? {
    let key = Key(
      isReply: frame.header.target == FrameKind.reply.rawValue, call: frame.header.call)
    // Taken out of the table while it grows, so that its bytes have one owner and are not copied.
    guard var entry = partial.removeValue(forKey: key) else {
      throw WireError(.unexpected, "a chunk of \(frame.header.call), which awaits none")
    }
    guard !frame.body.isEmpty, frame.body.count <= entry.bulkCount - entry.message.bulk.count else {
      throw WireError(
        .malformed, "\(frame.body.count) bytes of chunk do not fit message \(frame.header.call)")
    }
    try countAsHeld(frame.body.count)
    let hasRoom = partial.count < Self.roomAhead.messages
    entry.append(frame.body, roomAhead: hasRoom ? Self.roomAhead.bytes : 0)
    if entry.message.bulk.count == entry.bulkCount {
      byteCount -= entry.byteCount
      return entry.message
    }
    partial[key] = entry
    return nil
  }

  /// Drops all unfinished messages: the connection brings nothing more.
  package mutating func dropAll() {
    partial = [:]
    byteCount = 0
  }

  private mutating func drop(_ key: Key) {
    if let entry = partial.removeValue(forKey: key) { byteCount -= entry.byteCount }
  }

  private mutating func countAsHeld(_ count: Int) throws(WireError) {
    guard byteCount + count <= limits.held else {
      throw .tooMuch("messages under way", byteCount + count, limit: limits.held)
    }
    byteCount += count
  }
}
