import SkyNetCore
import Synchronization

/// The room that one peer has for calls: each call takes a place, and waits until there is one.
///
/// Who gets the next is decided by `CallRoom`. While all calls have been small, they are only counted,
/// without a lock: a part of the room is theirs, and holds more of them than are mostly under way.
final class PeerRoom: Sendable {
  /// Room for one call, from before its arguments are made until it is answered.
  struct Place: Sendable {
    fileprivate let room: PeerRoom
    /// `nil` if it was only counted, for a small call.
    fileprivate let id: CallRoom.CallID?

    /// The arguments have so many bytes. Waits until there is room for all of them.
    ///
    /// - Parameter isUnsent: whether the place will be told by ``sent()`` when all of it was sent.
    /// - Returns: where the call has its room: here, or, if the call is larger than this place was
    ///   meant for, at another place, which has to be left too.
    /// - Throws: `CancellationError`.
    func made(bytes: Int, isUnsent: Bool) async throws -> Place {
      guard id == nil else {
        try await room.made(self, bytes, isUnsent: isUnsent)
        return self
      }
      guard bytes > PeerRoom.small else { return self }
      let larger = room.newPlace()
      do {
        try await room.made(larger, bytes, isUnsent: isUnsent)
      } catch {
        larger.leave()
        throw error
      }
      return larger
    }

    /// Whether the call needs no more than this, nor has to tell that it was sent.
    func isEnough(for parcel: Parcel) -> Bool { id == nil && parcel.byteCount <= PeerRoom.small }

    /// Whether ``sent()`` is of any use.
    var isTracked: Bool { id != nil }

    /// All of them were sent.
    func sent() {
      if let id { room.change { $0.room.sent(id) } }
    }

    /// The call is over. Telling so again changes nothing, unless the place was only counted: that is
    /// told once.
    func leave() {
      if let id { room.left(id) } else { room.counted.subtract(1, ordering: .relaxed) }
    }
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

  /// Calls of at most so many bytes are only counted, while all have been such.
  private static let small = 16 << 10
  /// The part of a peer's room that is theirs.
  private static let smallPart = 64

  private let state: Mutex<State>
  private let areSmall = Atomic<Bool>(false)
  /// How many calls are only counted, and how many there may be.
  private let counted = Atomic<Int>(0)
  private let countedLimit: Int

  /// - Parameter limit: how many bytes of calls the peer takes.
  init(limit: Int) {
    countedLimit = limit / Self.smallPart / Self.small
    state = Mutex(State(room: CallRoom(limit: limit - countedLimit * Self.small)))
  }

  /// Waits until there is room for a call.
  ///
  /// - Throws: `CancellationError`.
  func place() async throws -> Place {
    if let place = countedPlace() { return place }
    let (id, hasRoom) = state.withLock { state in
      state.nextCall += 1
      return (state.nextCall, state.isOver || state.room.wanted(state.nextCall))
    }
    if !hasRoom { try await wait(for: id) }
    return Place(room: self, id: id)
  }

  private func countedPlace() -> Place? {
    guard areSmall.load(ordering: .relaxed) else { return nil }
    guard counted.add(1, ordering: .relaxed).newValue <= countedLimit else {
      counted.subtract(1, ordering: .relaxed)
      return nil
    }
    return Place(room: self, id: nil)
  }

  /// A place that has no room yet.
  private func newPlace() -> Place {
    let id = state.withLock { state in
      state.nextCall += 1
      return state.nextCall
    }
    return Place(room: self, id: id)
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

  private func made(_ place: Place, _ bytes: Int, isUnsent: Bool) async throws {
    guard let id = place.id else { return }
    var hasRoom = true
    change { state in
      let answer = state.room.made(id, bytes: bytes, isUnsent: isUnsent)
      hasRoom = answer.hasRoom
      // The largest so far is what one is expected to be.
      areSmall.store(state.room.expected <= Self.small, ordering: .relaxed)
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

/// A place with the connection that the call takes: a peer that was connected anew meanwhile has other
/// slots, and this call is none of theirs.
struct CallPlace: Sendable {
  let link: PeerLink
  let place: PeerRoom.Place
}
