import SkyNetCore
import Synchronization

/// The calls that the peer of one connection has not answered. Each call leaves exactly once: when its answer
/// comes, when its caller is cancelled, or when the connection ends.
final class OutgoingCalls: Sendable {
  private struct Entry {
    let answer: CheckedContinuation<Message, any Error>
    let onStart: (@Sendable (_ ran: Duration) -> Void)?
    let sent: Instant
    var hasStarted = false
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var nextCall: UInt64 = 0
    var end: ConnectionLost?
    var hasAnswer = false
  }

  private let state = Mutex(State())

  /// Makes a call by `send`, and waits for its reply.
  ///
  /// - Parameter onStart: called when the peer says that the call's scan has begun, with how long the scan
  ///   has run already.
  /// - Throws: `CallFailure`; ``ConnectionLost``; `CancellationError`, at once, after the peer was told to
  ///   cancel the call.
  func call(
    _ request: CallRequest, at now: Instant, onStart: (@Sendable (_ ran: Duration) -> Void)? = nil,
    send: @Sendable (Message) -> Void
  ) async throws -> Message {
    let id = state.withLock { state in
      state.nextCall += 1
      return state.nextCall
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let entry = Entry(answer: continuation, onStart: onStart, sent: now)
        let refusal = state.withLock { state -> (any Error)? in
          if let end = state.end { return end }
          if Task.isCancelled { return CancellationError() }
          state.entries[id] = entry
          return nil
        }
        if let refusal { return continuation.resume(throwing: refusal) }
        if let message = request.take(as: id) { send(message) }
        // If the caller was cancelled after the entry was made and before the call was sent, the cancel
        // message went first. The peer needs a cancel that comes after the call, and ignores a second one.
        if Task.isCancelled {
          cancel(id, send: send)
          send(Message(.cancel, call: id))
        }
      }
    } onCancel: {
      cancel(id, send: send)
    }
  }

  /// The peer says that a call's scan has begun.
  ///
  /// - Parameter ran: how long the scan has run already.
  func started(_ id: UInt64, ran: Duration = .zero) {
    let onStart = state.withLock { state in
      state.entries[id]?.hasStarted = true
      return state.entries[id]?.onStart
    }
    onStart?(ran)
  }

  /// Whether there are calls, and the peer has answered none of this connection's.
  var areUnanswered: Bool { state.withLock { !$0.hasAnswer && !$0.entries.isEmpty } }
  /// Whether the peer has begun a call that it has not answered.
  var haveStarted: Bool { state.withLock { $0.entries.values.contains(where: \.hasStarted) } }

  /// An answer came. An answer to a call that has left is late, and is ignored.
  func answered(_ message: Message) {
    let answer = state.withLock { state in
      state.hasAnswer = true
      return state.entries.removeValue(forKey: message.call)?.answer
    }
    guard let answer else { return }
    guard message.kind == .failure else { return answer.resume(returning: message) }
    do {
      answer.resume(throwing: try message.decodeBody(CallFailure.self))
    } catch {
      answer.resume(throwing: error)
    }
  }

  /// Fails all unanswered calls, and all later ones, since the connection has ended.
  ///
  /// - Parameter death: the peer's death, if the peer did not leave in order.
  func end(_ reason: String, death: PeerDeath? = nil) {
    let entries = state.withLock { state in
      state.end = ConnectionLost(reason: reason)
      defer { state.entries = [:] }
      return state.entries.sorted { $0.key < $1.key }.map(\.value)
    }
    for (place, entry) in entries.enumerated() {
      let mayBeToBlame =
        death?.mayBeDue(toCallAt: place, sent: entry.sent, hasStarted: entry.hasStarted) ?? false
      entry.answer.resume(
        throwing: ConnectionLost(reason: reason, mayBeToBlame: mayBeToBlame))
    }
  }

  private func cancel(_ id: UInt64, send: (Message) -> Void) {
    guard let answer = state.withLock({ $0.entries.removeValue(forKey: id)?.answer }) else {
      return
    }
    send(Message(.cancel, call: id))
    answer.resume(throwing: CancellationError())
  }
}
