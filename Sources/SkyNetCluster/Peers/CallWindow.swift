import SkyNetCore
import Synchronization

/// How many bytes of calls may be under way to one peer, by what it said that it holds: flow control by
/// a window, as HTTP/2 and gRPC have it, but for calls instead of parts of them.
///
/// Each call has a reservation, and waits until there is room for one. `CallRoom` decides which call
/// is next.
final class CallWindow: Sendable {
  /// Room for one call, from before its arguments are made until it is answered.
  struct Reservation: Sendable {
    fileprivate let window: CallWindow
    fileprivate let id: CallRoom.CallID

    /// The call's arguments are made. Waits until there is room for all of their bytes.
    ///
    /// - Parameter isUnsent: whether ``sent()`` will be called when all of them were sent.
    /// - Throws: `CancellationError`.
    func resize(to bytes: Int, isUnsent: Bool) async throws {
      try await window.resize(id, to: bytes, isUnsent: isUnsent)
    }

    /// All of the call was sent.
    func sent() { window.change { $0.room.sent(id) } }

    /// The call is over. Releasing it again changes nothing.
    func release() { window.release(id) }
  }

  private enum Waiter {
    case waits(CheckedContinuation<Void, any Error>)
    /// The call has room, or its caller no longer wants any, and does not wait yet.
    case granted, cancelled
  }

  private struct State {
    var room: CallRoom
    var waiters: [CallRoom.CallID: Waiter] = [:]
    var nextCall: CallRoom.CallID = 0
    /// Whether the connection has ended: then calls fail by themselves, and none needs room.
    var isOver = false
  }

  private let state: Mutex<State>

  /// - Parameter limit: how many bytes of calls the peer holds.
  init(limit: Int) {
    state = Mutex(State(room: CallRoom(limit: limit)))
  }

  /// Waits until there is room for a call whose arguments are not made yet.
  ///
  /// - Throws: `CancellationError`.
  func reserve() async throws -> Reservation {
    let (id, hasRoom) = state.withLock { state in
      state.nextCall += 1
      return (state.nextCall, state.isOver || state.room.wanted(state.nextCall))
    }
    if !hasRoom { try await wait(for: id) }
    return Reservation(window: self, id: id)
  }

  /// The connection ended: no call waits any longer.
  func end() {
    let waiters = state.withLock { state in
      state.isOver = true
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
      // It may have been granted, or cancelled, when its caller did not wait for it any more.
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

  /// Changes which calls have room, and resumes those that wait for it.
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

/// A reservation with the connection that the call takes: a peer that was connected anew meanwhile has
/// other slots, and this call is for none of them.
struct LinkReservation: Sendable {
  let link: PeerLink
  let reservation: CallWindow.Reservation
}
