import DequeModule

/// Decides the order in which the messages of one connection are sent.
///
/// Frames leave in the order in which they were queued, except that an answer takes the place of its
/// `started`. Bulk bytes follow in chunks when no frame waits, so nothing holds up a ping. The first
/// few messages with bulk bytes take turns, so that a small one need not wait for a large one, and the
/// peer holds few unfinished messages.
package struct OutboundQueue: Sendable {
  /// The number of frames to search for a `started`.
  private static let lookback = 16
  private static let turnLimit = 4

  private var frames: Deque<Message> = []
  /// How many of these frames are a `started`.
  private var startedCount = 0
  /// The messages whose chunks are to be sent, the next one first. The first ``turnLimit`` take turns.
  private var bulks: Deque<(message: Message, sent: Int)> = []
  private var sentCalls: [UInt64] = []
  /// The number of body and bulk bytes that wait.
  package private(set) var byteCount = 0

  package init() {}

  package var isEmpty: Bool { frames.isEmpty && bulks.isEmpty }

  /// Returns the calls whose bulk bytes have all left since the last time, or were dropped.
  package mutating func takeSentCalls() -> [UInt64] {
    defer { sentCalls = [] }
    return sentCalls
  }

  package mutating func enqueue(_ message: Message) {
    byteCount += message.body.count + message.bulk.count
    if startedCount > 0, message.kind == .reply || message.kind == .failure,
      let started = frames.indices.suffix(Self.lookback).last(where: {
        frames[$0].kind == .started && frames[$0].call == message.call
      })
    {
      // Once the answer is there, the `started` is of no use.
      frames[started] = message
      startedCount -= 1
    } else {
      if message.kind == .started { startedCount += 1 }
      frames.append(message)
    }
  }

  /// The next frame to write; `nil` if there is none. If `chunks` is `false`, as when the socket is
  /// full, chunks stay in the queue.
  package mutating func next(chunks: Bool = true) -> Frame? {
    if let message = frames.popFirst() {
      // The peer drops the chunks that it has of the call or reply, so no other may follow.
      switch message.kind {
      case .cancel: dropBulk(of: .call, message.call)
      case .failure: dropBulk(of: .reply, message.call)
      case .started: startedCount -= 1
      default: break
      }
      byteCount -= message.body.count
      if !message.bulk.isEmpty { bulks.append((message, 0)) }
      return message.frame
    }
    guard chunks, var bulk = bulks.popFirst() else { return nil }
    let message = bulk.message
    let bytes = message.bulk.dropFirst(bulk.sent).prefix(WireLimits.chunk)
    bulk.sent += bytes.count
    byteCount -= bytes.count
    if bulk.sent < message.bulk.count {
      bulks.insert(bulk, at: min(bulks.count, Self.turnLimit - 1))
    } else if message.kind == .call {
      sentCalls.append(message.call)
    }
    let header = FrameHeader(
      kind: .chunk, target: message.kind.rawValue, call: message.call,
      bodyCount: UInt32(bytes.count))
    return Frame(header: header, body: bytes)
  }

  private mutating func dropBulk(of kind: FrameKind, _ call: UInt64) {
    var dropped = 0
    bulks.removeAll { bulk in
      guard bulk.message.kind == kind, bulk.message.call == call else { return false }
      dropped += bulk.message.bulk.count - bulk.sent
      return true
    }
    byteCount -= dropped
    if kind == .call, dropped > 0 { sentCalls.append(call) }
  }
}
