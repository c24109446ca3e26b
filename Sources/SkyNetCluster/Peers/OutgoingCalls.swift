import SkyNetCore
import Synchronization

import struct Foundation.Data

/// The calls that one connection's peer has not answered. Each leaves exactly once: by its answer,
/// by its caller's cancelling, or by the connection's end.
final class OutgoingCalls: Sendable {
  private struct Entry {
    let answer: CheckedContinuation<Message, any Error>
    let onStart: (@Sendable () -> Void)?
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var nextCall: UInt64 = 0
    var end: ConnectionLost?
  }

  private let state = Mutex(State())

  /// Makes a call by `send`, and waits for its reply.
  ///
  /// - Throws: `CallFailure`, ``ConnectionLost``, or `CancellationError`, at once; the peer is then
  ///   told to stop.
  func call(
    target: UInt8, body: Data, bulk: Data, send: @Sendable @escaping (Message) -> Void
  ) async throws -> Message {
    let id = state.withLock { state in
      state.nextCall += 1
      return state.nextCall
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let entry = Entry(answer: continuation, onStart: CallContext.current?.onStart)
        let refusal = state.withLock { state -> (any Error)? in
          if let end = state.end { return end }
          if Task.isCancelled { return CancellationError() }
          state.entries[id] = entry
          return nil
        }
        if let refusal { return continuation.resume(throwing: refusal) }
        send(Message(.call, target: target, call: id, body: body, bulk: bulk))
        // Cancelled between the entry and the sending, its cancel went first; the peer needs one
        // that comes after the call, and makes nothing of a second.
        if Task.isCancelled {
          cancel(id, send: send)
          send(Message(.cancel, call: id))
        }
      }
    } onCancel: {
      cancel(id, send: send)
    }
  }

  func started(_ id: UInt64) {
    state.withLock { $0.entries[id]?.onStart }?()
  }

  /// An answer came. One to a call that is gone is late, and nobody's.
  func answered(_ message: Message) {
    let answer = state.withLock { $0.entries.removeValue(forKey: message.call)?.answer }
    guard let answer else { return }
    guard message.kind == .failure else { return answer.resume(returning: message) }
    do {
      answer.resume(throwing: try message.decodeBody(CallFailure.self))
    } catch {
      answer.resume(throwing: error)
    }
  }

  /// The connection ended: what is left fails, and so does what is called later.
  func end(_ reason: ConnectionLost) {
    let answers = state.withLock { state in
      state.end = reason
      defer { state.entries = [:] }
      return state.entries.values.map(\.answer)
    }
    for answer in answers { answer.resume(throwing: reason) }
  }

  private func cancel(_ id: UInt64, send: (Message) -> Void) {
    guard let answer = state.withLock({ $0.entries.removeValue(forKey: id)?.answer }) else {
      return
    }
    send(Message(.cancel, call: id))
    answer.resume(throwing: CancellationError())
  }
}
