import DequeModule

/// How many bytes of calls one peer has room for, and which calls wait until it has some.
///
/// A call has room from before its arguments are made until it is answered. While they are not made
/// their size is not known; they are taken to be as large as the largest so far. So arguments
/// are made when they can be sent, and wait in memory only where they turn out larger than that.
package struct CallRoom: Sendable {
  package typealias CallID = UInt64

  /// Nothing more is made for a peer while so many bytes wait to be sent to it.
  package static let unsentLimit = 64 << 20
  /// Until the first call is made it is taken for this part of the limit.
  private static let unknownPart = 8

  private struct Call {
    var bytes: Int
    var isUnsent: Bool
  }

  private struct Made {
    let id: CallID
    let bytes: Int
    let isUnsent: Bool
  }

  private let limit: Int
  /// Calls that have room.
  private var calls: [CallID: Call] = [:]
  private var held = 0
  private var unsent = 0
  private var largest: Int?
  /// Calls that wait, the first one first: those that are made go before those that are not.
  private var made: Deque<Made> = []
  private var unmade: Deque<CallID> = []

  /// - Parameter limit: how many bytes of calls the peer takes. A call that is larger is sent alone.
  package init(limit: Int) {
    self.limit = limit
  }

  /// A call wants room, and its arguments are not made yet. Returns whether there is some; if not, a
  /// later event returns its id.
  package mutating func wanted(_ id: CallID) -> Bool {
    guard unmade.isEmpty, mayMake else {
      unmade.append(id)
      return false
    }
    give(id, expected)
    return true
  }

  /// A call's arguments are made, and have this many bytes. Returns whether there is room for them; if
  /// not, a later event returns its id; and the other calls that have room now.
  ///
  /// - Parameter isUnsent: whether ``sent(_:)`` will tell when all of it was sent.
  package mutating func made(
    _ id: CallID, bytes: Int, isUnsent: Bool = true
  ) -> (hasRoom: Bool, others: [CallID]) {
    if bytes > largest ?? -1 { largest = bytes }
    // Its entry stays where it is while it has room, which saves two searches of the table.
    let reserved = calls[id]
    let isAlone = calls.count == (reserved == nil ? 0 : 1)
    let hasRoom =
      made.isEmpty && (isAlone || held - (reserved?.bytes ?? 0) + bytes <= limit)
    if hasRoom {
      if let reserved { forget(reserved) }
      give(id, bytes, isUnsent: isUnsent)
    } else {
      remove(id)
      made.append(Made(id: id, bytes: bytes, isUnsent: isUnsent))
    }
    return (hasRoom, made.isEmpty && unmade.isEmpty ? [] : grantWaiting())
  }

  /// All of a call was sent. Returns the calls that have room now.
  package mutating func sent(_ id: CallID) -> [CallID] {
    guard let call = calls[id], call.isUnsent else { return [] }
    calls[id]?.isUnsent = false
    unsent -= call.bytes
    return grantWaiting()
  }

  /// A call was answered, or is not wanted any more, wherever it is. Returns the calls that have room
  /// now.
  package mutating func ended(_ id: CallID) -> [CallID] {
    if !remove(id) {
      made.removeAll { $0.id == id }
      unmade.removeAll { $0 == id }
    }
    return made.isEmpty && unmade.isEmpty ? [] : grantWaiting()
  }

  @discardableResult
  private mutating func remove(_ id: CallID) -> Bool {
    guard let call = calls.removeValue(forKey: id) else { return false }
    forget(call)
    return true
  }

  private mutating func forget(_ call: Call) {
    held -= call.bytes
    if call.isUnsent { unsent -= call.bytes }
  }

  /// How large a call is taken to be before it is made.
  package var expected: Int { largest ?? limit / Self.unknownPart }

  private var mayMake: Bool { made.isEmpty && unsent < Self.unsentLimit && fits(expected) }

  private func fits(_ bytes: Int) -> Bool { calls.isEmpty || held + bytes <= limit }

  private mutating func grantWaiting() -> [CallID] {
    var granted: [CallID] = []
    while let first = made.first, fits(first.bytes) {
      made.removeFirst()
      give(first.id, first.bytes, isUnsent: first.isUnsent)
      granted.append(first.id)
    }
    while mayMake, let first = unmade.popFirst() {
      give(first, expected)
      granted.append(first)
    }
    return granted
  }

  private mutating func give(_ id: CallID, _ bytes: Int, isUnsent: Bool = true) {
    calls[id] = Call(bytes: bytes, isUnsent: isUnsent)
    held += bytes
    if isUnsent { unsent += bytes }
  }
}
