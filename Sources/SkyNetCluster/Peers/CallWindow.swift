import SkyNetCore
import Synchronization

/// Limits how many bytes of calls are under way to one peer, by the limit in the peer's hello. It is flow
/// control by a window, as in HTTP/2 and gRPC, but for whole calls instead of parts of them.
///
/// Each call needs a reservation, and waits until there is room for it. `CallRoom` decides which call is
/// next.
final class CallWindow: Sendable {
  /// Room for one call, from before its arguments are made until it is answered.
  struct Reservation: Sendable {
    fileprivate let window: CallWindow
    fileprivate let id: CallRoom.CallID

    /// Sets the size of the call, once its arguments are made, and waits until there is room for all of their
    /// bytes.
    ///
    /// - Parameter isUnsent: whether the caller will call ``sent()`` when all of these bytes were sent.
    /// - Throws: `CancellationError`.
    func resize(to bytes: Int, isUnsent: Bool) async throws {
      try await window.resize(id, to: bytes, isUnsent: isUnsent)
    }

    /// All bytes of the call were sent.
    func sent() { window.change { $0.room.sent(id) } }

    /// Frees the call's room when the call has ended. A second call has no effect.
    func release() { window.release(id) }
  }

  private enum Waiter {
    case waits(CheckedContinuation<Void, any Error>)
    /// The call got its room before its caller began to wait.
    case granted
    /// The caller was cancelled before it began to wait.
    case cancelled
  }

  private struct State {
    var room: CallRoom
    var waiters: [CallRoom.CallID: Waiter] = [:]
    var nextCall: CallRoom.CallID = 0
    /// Whether the connection has ended. Calls then fail by themselves, and need no room.
    var hasEnded = false
  }

  private let state: Mutex<State>

  /// - Parameter limit: how many bytes of unanswered calls the peer holds.
  init(limit: Int) {
    state = Mutex(State(room: CallRoom(limit: limit)))
  }

  /// Waits until there is room for another call, whose arguments are not made yet.
  ///
  /// - Throws: `CancellationError`.
  func reserve() async throws -> Reservation {
    let (id, hasRoom) = state.withLock { state in
      state.nextCall += 1
      return (state.nextCall, state.hasEnded || state.room.wanted(state.nextCall))
    }
    if !hasRoom { try await wait(for: id) }
    return Reservation(window: self, id: id)
  }

  /// Resumes all calls that wait, since the connection has ended.
  func end() {
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.self)
    }
    for case .waits(let continuation) in waiters { continuation.resume() }
  }

  private func resize(_ id: CallRoom.CallID, to bytes: Int, isUnsent: Bool) async throws {
    var hasRoom = true
    change { state in
      let answer = state.room.made(id, bytes: bytes, isUnsent: isUnsent)
      hasRoom = answer.hasRoom
      return answer.others
    }
    if !hasRoom { try await wait(for: id) }
  }

  private func release(_ id: CallRoom.CallID) {
    change { state in
      // A grant or a cancellation that came when the caller no longer waited is still in the table.
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
          if state.hasEnded { return .success(()) }
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
      // The caller has not begun to wait. It finds the cancellation when it does.
      state.waiters[id] = .cancelled
      return nil
    }
    if case .waits(let continuation) = waiter { continuation.resume(throwing: CancellationError()) }
    change { $0.room.ended(id) }
  }

  /// Changes the state, and resumes the waiting calls that have room by that.
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

/// A reservation, with the connection that it is for. The call is made over this connection or fails: if the
/// peer has connected anew meanwhile, the call's slot has ended with the old connection.
struct LinkReservation: Sendable {
  let link: PeerLink
  let reservation: CallWindow.Reservation
}
