import SkyNetCore

/// Limits how many bytes of calls are under way to one peer, by the limit in the peer's hello. It is flow
/// control by a window, as in HTTP/2 and gRPC, but for whole calls instead of parts of them.
///
/// Each call needs room, and waits until there is some. `CallRoom` decides which call is next.
struct CallWindow {
  typealias Waiter = CheckedContinuation<Void, any Error>

  private var room: CallRoom
  private var waiters: [CallRoom.CallID: Waiter] = [:]
  /// The calls that got room before they began to wait for it.
  private var granted: Set<CallRoom.CallID> = []
  private var lastCall: CallRoom.CallID = 0
  /// Whether the connection has ended. Calls then fail by themselves, and need no room.
  private var hasEnded = false

  /// - Parameter limit: how many bytes of unanswered calls the peer holds.
  init(limit: Int) { room = CallRoom(limit: limit) }

  /// Asks for room for another call, whose arguments are not made yet.
  ///
  /// - Returns: the call, and whether it has room. If not, it has to ``wait(for:with:)``.
  mutating func want() -> (call: CallRoom.CallID, hasRoom: Bool) {
    lastCall += 1
    return (lastCall, hasEnded || room.wanted(lastCall))
  }

  /// Sets the size of a call, now that its arguments are made. Returns whether there is room for all of their bytes.
  ///
  /// - Parameter isUnsent: whether ``sent(_:)`` will follow when all of these bytes were sent.
  mutating func resize(_ call: CallRoom.CallID, to bytes: Int, isUnsent: Bool) -> Bool {
    let (hasRoom, others) = room.made(call, bytes: bytes, isUnsent: isUnsent)
    resume(others)
    return hasEnded || hasRoom
  }

  mutating func wait(for call: CallRoom.CallID, with waiter: Waiter) {
    if hasEnded || granted.remove(call) != nil {
      waiter.resume()
    } else if Task.isCancelled {
      waiter.resume(throwing: CancellationError())
      resume(room.ended(call))
    } else {
      waiters[call] = waiter
    }
  }

  mutating func cancel(_ call: CallRoom.CallID) {
    guard let waiter = waiters.removeValue(forKey: call) else { return }
    waiter.resume(throwing: CancellationError())
    resume(room.ended(call))
  }

  mutating func sent(_ call: CallRoom.CallID) { resume(room.sent(call)) }

  /// Frees the call's room when the call has ended. A second call has no effect.
  mutating func release(_ call: CallRoom.CallID) {
    granted.remove(call)
    resume(room.ended(call))
  }

  /// Resumes all calls that wait, since the connection has ended.
  mutating func end() {
    hasEnded = true
    resume(Array(waiters.keys))
  }

  private mutating func resume(_ calls: [CallRoom.CallID]) {
    for call in calls {
      if let waiter = waiters.removeValue(forKey: call) {
        waiter.resume()
      } else {
        granted.insert(call)
      }
    }
  }
}
