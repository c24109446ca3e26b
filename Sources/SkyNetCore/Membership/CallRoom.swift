import DequeModule

/// The bytes of calls for which one peer has room, and the calls that wait for room.
///
/// A call has room from before its arguments are made until it is answered. Until they are made
/// their size is unknown, and the call is taken to be as large as the largest so far. So arguments
/// are made when they can be sent. They wait in memory only if they turn out larger than that.
package struct CallRoom: Sendable {
  package typealias CallID = UInt64

  /// While this many bytes wait to be sent, no more arguments are made.
  private static let unsentLimit = 64 << 20
  /// Until the first call is made, a call is taken to be as large as the limit divided by this.
  private static let unknownSizeDivisor = 8

  private struct Call {
    let bytes: Int
    var isUnsent = true
  }

  private let limit: Int
  /// The calls that have room.
  private var calls: [CallID: Call] = [:]
  private var heldBytes = 0
  private var unsentBytes = 0
  private var largestCall: Int?
  /// The calls that wait, the first one first. Calls whose arguments are made go before the others.
  private var waitingMade: Deque<(id: CallID, call: Call)> = []
  private var waitingUnmade: Deque<CallID> = []

  /// - Parameter limit: the bytes of calls that the peer takes. A call that is larger is sent
  ///   alone.
  package init(limit: Int) {
    self.limit = limit
  }

  /// A call wants room before its arguments are made. If there is none, a later event returns its id.
  package mutating func wanted(_ id: CallID) -> Bool {
    guard waitingUnmade.isEmpty, hasRoomForUnmade else {
      waitingUnmade.append(id)
      return false
    }
    reserve(id, Call(bytes: expected))
    return true
  }

  /// A call's arguments are made. Returns whether there is room for them, and the other calls that
  /// have room now. If there is no room, a later event returns the call's id.
  ///
  /// - Parameter isUnsent: whether ``sent(_:)`` will follow once all of the call is sent.
  package mutating func made(
    _ id: CallID, bytes: Int, isUnsent: Bool = true
  ) -> (hasRoom: Bool, others: [CallID]) {
    if bytes > largestCall ?? -1 { largestCall = bytes }
    // Its entry stays where it is while it has room, which saves two searches of the table.
    let reserved = calls[id]
    let isAlone = calls.count == (reserved == nil ? 0 : 1)
    let hasRoom =
      waitingMade.isEmpty && (isAlone || heldBytes - (reserved?.bytes ?? 0) + bytes <= limit)
    let call = Call(bytes: bytes, isUnsent: isUnsent)
    if hasRoom {
      reserve(id, call)
    } else {
      remove(id)
      waitingMade.append((id, call))
    }
    return (hasRoom, grantWaiting())
  }

  /// The last byte of a call was sent. Returns the calls that have room now.
  package mutating func sent(_ id: CallID) -> [CallID] {
    guard let call = calls[id], call.isUnsent else { return [] }
    calls[id]?.isUnsent = false
    unsentBytes -= call.bytes
    return grantWaiting()
  }

  /// A call was answered, or is no longer wanted. It may have room or wait. Returns the calls that
  /// have room now.
  package mutating func ended(_ id: CallID) -> [CallID] {
    if !remove(id) {
      waitingMade.removeAll { $0.id == id }
      waitingUnmade.removeAll { $0 == id }
    }
    return grantWaiting()
  }

  @discardableResult
  private mutating func remove(_ id: CallID) -> Bool {
    guard let call = calls.removeValue(forKey: id) else { return false }
    forget(call)
    return true
  }

  private mutating func forget(_ call: Call) {
    heldBytes -= call.bytes
    if call.isUnsent { unsentBytes -= call.bytes }
  }

  /// The size that a call is taken to have before it is made.
  package var expected: Int { largestCall ?? limit / Self.unknownSizeDivisor }

  private var hasRoomForUnmade: Bool {
    waitingMade.isEmpty && unsentBytes < Self.unsentLimit && fits(expected)
  }

  private func fits(_ bytes: Int) -> Bool { calls.isEmpty || heldBytes + bytes <= limit }

  private mutating func grantWaiting() -> [CallID] {
    var granted: [CallID] = []
    while let first = waitingMade.first, fits(first.call.bytes) {
      waitingMade.removeFirst()
      reserve(first.id, first.call)
      granted.append(first.id)
    }
    while !waitingUnmade.isEmpty, hasRoomForUnmade {
      let first = waitingUnmade.removeFirst()
      reserve(first, Call(bytes: expected))
      granted.append(first)
    }
    return granted
  }

  private mutating func reserve(_ id: CallID, _ call: Call) {
    if let former = calls.updateValue(call, forKey: id) { forget(former) }
    heldBytes += call.bytes
    if call.isUnsent { unsentBytes += call.bytes }
  }
}
