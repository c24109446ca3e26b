import SkyNetCore
import Synchronization

/// The room that one peer has for calls: each call takes a place, and waits until there is one.
///
/// Who gets the next is decided by `CallRoom`.
final class PeerRoom: Sendable {
  /// Room for one call, from before its arguments are made until it is answered.
  struct Place: Sendable {
    let room: PeerRoom
    fileprivate let id: CallRoom.CallID
    /// Whether the call may be so large that it is worth not to keep its arguments.
    let mayBeLarge: Bool

    /// The arguments have so many bytes. Waits until there is room for all of them.
    ///
    /// - Parameter isUnsent: whether ``sent()`` will tell when all of it was sent.
    /// - Throws: `CancellationError`.
    func made(bytes: Int, isUnsent: Bool) async throws {
      try await room.made(id, bytes, isUnsent: isUnsent)
    }

    /// All of them were sent.
    func sent() { room.change { $0.room.sent(id) } }

    /// The call is over. Telling so again changes nothing.
    func leave() { room.left(id) }
  }

  private enum Waiter {
    case waits(CheckedContinuation<Void, any Error>)
    /// It has room, or its caller no longer wants any, and does not wait yet.
    case granted, cancelled
  }

  private struct State {
    var room: CallRoom
    var waiters: [CallRoom.CallID: Waiter] = [:]
    var nextCall: CallRoom.CallID = 0
    /// Whether the connection has ended: then calls fail by themselves, and nobody needs room.
    var isOver = false
  }

  /// Bytes that are not worth to be forgotten before they are answered.
  private static let large = 64 << 10

  private let state: Mutex<State>

  /// - Parameter limit: how many bytes of calls the peer takes.
  init(limit: Int) {
    state = Mutex(State(room: CallRoom(limit: limit)))
  }

  /// Waits until there is room for a call.
  ///
  /// - Throws: `CancellationError`.
  func place() async throws -> Place {
    let (id, hasRoom, expected) = state.withLock { state in
      state.nextCall += 1
      return (
        state.nextCall, state.isOver || state.room.wanted(state.nextCall), state.room.expected
      )
    }
    if !hasRoom { try await wait(for: id) }
    return Place(room: self, id: id, mayBeLarge: expected >= Self.large)
  }

  /// The connection ended: nobody waits any longer.
  func end() {
    let waiters = state.withLock { state in
      state.isOver = true
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.self)
    }
    for case .waits(let continuation) in waiters { continuation.resume() }
  }

  private func made(_ id: CallRoom.CallID, _ bytes: Int, isUnsent: Bool) async throws {
    var hasRoom = true
    change { state in
      let answer = state.room.made(id, bytes: bytes, isUnsent: isUnsent)
      hasRoom = answer.hasRoom
      return answer.others
    }
    if !hasRoom { try await wait(for: id) }
  }

  private func left(_ id: CallRoom.CallID) {
    change { state in
      // It may have been granted, or cancelled, when nobody waited for it any more.
      state.waiters[id] = nil
      return state.room.ended(id)
    }
  }

  private func wait(for id: CallRoom.CallID) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          switch state.waiters.removeValue(forKey: id) {
          case .granted: return .success(())
          case .cancelled: return .failure(CancellationError())
          case .waits, nil: break
          }
          if state.isOver { return .success(()) }
          state.waiters[id] = .waits(continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: CallRoom.CallID) {
    let waiter = state.withLock { state -> Waiter? in
      if case .waits = state.waiters[id] { return state.waiters.removeValue(forKey: id) }
      // It is about to wait.
      state.waiters[id] = .cancelled
      return nil
    }
    if case .waits(let continuation) = waiter { continuation.resume(throwing: CancellationError()) }
    change { $0.room.ended(id) }
  }

  /// Changes who has room, and resumes those that wait for it.
  private func change(_ body: (inout State) -> [CallRoom.CallID]) {
    let continuations = state.withLock { state in
      body(&state).compactMap { id -> CheckedContinuation<Void, any Error>? in
        guard case .waits(let continuation) = state.waiters.removeValue(forKey: id) else {
          state.waiters[id] = .granted
          return nil
        }
        return continuation
      }
    }
    for continuation in continuations { continuation.resume() }
  }
}
