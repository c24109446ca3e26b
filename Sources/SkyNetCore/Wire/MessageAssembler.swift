import struct Foundation.Data

/// Makes messages of the frames that one connection receives, by putting chunks where they belong.
public struct MessageAssembler: Sendable {
  private struct Partial {
    var message: Message
    let bulkCount: Int
    /// For how many bulk bytes there is room.
    private var capacity = 0

    init(message: Message, bulkCount: Int) {
      self.message = message
      self.bulkCount = bulkCount
    }

    /// What it costs to hold it: what its sender has sent, and its place in the table, as millions of
    /// messages can be announced that have no bytes yet.
    var heldCount: Int { Self.overhead + message.body.count + message.bulk.count }

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
  /// What they cost so far, in bytes.
  public private(set) var held = 0
  private let limits: WireLimits

  public init(limits: WireLimits = WireLimits()) {
    self.limits = limits
  }

  /// Takes the next frame, and returns the message that it completes, if it does.
  public mutating func receive(_ frame: Frame) throws(WireError) -> Message? {
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
      try hold(Partial.overhead + frame.body.count)
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
      held -= entry.heldCount
      return entry.message
    }
    partial[key] = entry
    return nil
  }

  /// Forgets what is not whole: nothing more will come.
  public mutating func dropAll() {
    partial = [:]
    held = 0
  }

  private mutating func drop(_ key: Key) {
    if let entry = partial.removeValue(forKey: key) { held -= entry.heldCount }
  }

  /// - Throws: `WireError` if these bytes are too many.
  private mutating func hold(_ count: Int) throws(WireError) {
    guard held + count <= limits.held else {
      throw .tooMuch("messages under way", held + count, limit: limits.held)
    }
    held += count
  }
}
