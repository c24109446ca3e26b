import SkyNetCore

/// Calls to the peer.
extension PeerLink {
  /// Calls a distributed method of the peer, when there is room for the call.
  ///
  /// - Parameters:
  ///   - message: the call, which gets its number here. It may be large, and is gone as soon as it is sent.
  ///   - reserved: the call's room, if the caller has some already. It is released when the call has ended.
  ///   - onStart: called when the peer says that the call's scan has begun, with how long the scan has run already.
  /// - Throws: `CallFailure`; ``ConnectionLost``; `CancellationError`, at once, after the peer was told to
  ///   cancel the call.
  func call(
    _ message: consuming Message, in reserved: CallRoom.CallID? = nil,
    onStart: OutgoingCalls.OnStart?
  ) async throws -> Message {
    var (room, hasRoom) = (reserved, true)
    if reserved == nil, let wanted = window?.want() { (room, hasRoom) = wanted }
    defer { if let room { window?.release(room) } }
    if let room, !hasRoom { try await waitForRoom(room) }
    var unsent: Message? = message
    if let room, let message = unsent,
      window?.resize(room, to: message.byteCount, isUnsent: !message.bulk.isEmpty) == false
    {
      try await waitForRoom(room)
    }
    let number = outgoing.number()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in
        guard outgoing.add(number, at: clock.now, onStart: onStart, answer: answer),
          var message = unsent.take()
        else { return }
        message.call = number
        let whenSent: (@Sendable () -> Void)? =
          if let room, !message.bulk.isEmpty {
            { self.tell { $0.window?.sent(room) } }
          } else {
            nil
          }
        connection.send(message, whenSent: whenSent)
      }
    } onCancel: {
      tell { link in
        guard link.outgoing.cancel(number) else { return }
        link.connection.send(Message(.cancel, call: number))
      }
    }
  }

  /// Waits for the room of a call, if there was none when it was asked for.
  ///
  /// - Throws: `CancellationError`.
  func waitForRoom(_ call: CallRoom.CallID) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { window?.wait(for: call, with: $0) }
    } onCancel: {
      tell { $0.window?.cancel(call) }
    }
  }
}

extension Message {
  /// How many bytes the message holds.
  var byteCount: Int { body.count + bulk.count }
}
