import DequeModule

/// The order in which one connection's messages leave.
///
/// Frames leave in the order they were queued, but for an answer that takes the place of its
/// `started`. Bulk bytes follow their frame in chunks, and only when no frame waits, so nothing blocks a
/// ping. If several messages have some, the first few of them take turns: a small one need not wait for
/// a large one, and the peer has few unfinished ones in its memory.
package struct OutboundQueue: Sendable {
  private struct Bulk {
    let message: Message
    var sent = 0
  }

  /// How many frames to look back for one: some that are further back are sent for nothing.
  private static let lookback = 16
  /// How many messages' chunks take turns.
  private static let places = 4

  private var frames: Deque<Message> = []
  /// Those whose chunks take turns, the next one first; and those that wait to be among them.
  private var turns: Deque<Bulk> = []
  private var waiting: Deque<Bulk> = []

  package init() {}

  package var isEmpty: Bool { frames.isEmpty && turns.isEmpty }

  /// Calls of whose bulk bytes nothing is left to send, since this was asked last.
  package mutating func takeSentCalls() -> [UInt64] {
    defer { sentCalls = [] }
    return sentCalls
  }

  private var sentCalls: [UInt64] = []

  /// How many bytes of bodies and bulk wait.
  package private(set) var byteCount = 0

  package mutating func enqueue(_ message: Message) {
    byteCount += message.body.count + message.bulk.count
    if message.kind == .reply || message.kind == .failure, let place = start(of: message.call) {
      frames[place] = message
    } else {
      frames.append(message)
    }
  }

  /// Where it waits to be told that a call has started: among the latest, as the call was short.
  /// When its answer has come, this is of no use.
  private func start(of call: UInt64) -> Int? {
    frames.indices.suffix(Self.lookback).last { place in
      frames[place].kind == .started && frames[place].call == call
    }
  }

  /// The next frame to write. Without `chunks`, as when the socket is full, only frames that are
  /// not bulk; `nil` if there is none.
  package mutating func next(chunks: Bool = true) -> Frame? {
    if let message = frames.popFirst() {
      // The peer drops what it has of the call or reply, so no chunk of it may come after.
      switch message.kind {
      case .cancel: dropBulk(of: .call, message.call)
      case .failure: dropBulk(of: .reply, message.call)
      default: break
      }
      byteCount -= message.body.count
      if !message.bulk.isEmpty {
        waiting.append(Bulk(message: message))
        fillPlaces()
      }
      return message.frame
    }
    guard chunks, var bulk = turns.popFirst() else { return nil }
    let message = bulk.message
    let bytes = message.bulk.dropFirst(bulk.sent).prefix(WireLimits.chunk)
    bulk.sent += bytes.count
    byteCount -= bytes.count
    if bulk.sent < message.bulk.count {
      turns.append(bulk)
    } else if message.kind == .call {
      sentCalls.append(message.call)
    }
    fillPlaces()
    let header = FrameHeader(
      kind: .chunk, target: message.kind.rawValue, call: message.call,
      bodyCount: UInt32(bytes.count))
    return Frame(header: header, body: bytes)
  }

  private mutating func dropBulk(of kind: FrameKind, _ call: UInt64) {
    let dropped = Self.drop(kind, call, from: &turns) + Self.drop(kind, call, from: &waiting)
    byteCount -= dropped
    if kind == .call, dropped > 0 { sentCalls.append(call) }
    fillPlaces()
  }

  /// Returns how many of its bytes had not left.
  private static func drop(_ kind: FrameKind, _ call: UInt64, from bulks: inout Deque<Bulk>) -> Int
  {
    var dropped = 0
    bulks.removeAll { bulk in
      guard bulk.message.kind == kind, bulk.message.call == call else { return false }
      dropped += bulk.message.bulk.count - bulk.sent
      return true
    }
    return dropped
  }

  private mutating func fillPlaces() {
    while turns.count < Self.places, let next = waiting.popFirst() { turns.append(next) }
  }
}
