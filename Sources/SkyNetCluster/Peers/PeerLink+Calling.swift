import SkyNetCore

/// Calls to the peer.
extension PeerLink {
  /// Waits for room for a call, whose arguments are not made yet. Returns `nil` if the peer has not introduced itself.
  ///
  /// - Throws: `CancellationError`.
  func reserve() async throws -> CallRoom.CallID? {
    guard let (call, hasRoom) = window?.want() else { return nil }
    if !hasRoom { try await waitForRoom(call) }
    return call
  }

  /// Frees the room of a call that has ended. A second call has no effect.
  nonisolated func release(_ call: CallRoom.CallID) { tell { $0.window?.release(call) } }

  /// Calls a distributed method of the peer, when there is room for the call.
  ///
  /// - Parameters:
  ///   - message: the call, which gets its number here. It may be large, and is gone as soon as it is sent.
  ///   - reserved: the call's room, if the caller has some already. The caller releases it.
  ///   - onStart: called when the peer says that the call's scan has begun, with how long the scan has run already.
  /// - Throws: `CallFailure`; ``ConnectionLost``; `CancellationError`, at once, after the peer was told to
  ///   cancel the call.
  func call(
    _ message: consuming Message, in reserved: CallRoom.CallID? = nil,
    onStart: OutgoingCalls.OnStart?
  ) async throws -> Message {
    guard reserved != nil || window == nil else {
      let room = try await reserve()
      defer { if let room { window?.release(room) } }
      return try await send(message, in: room, onStart)
    }
    return try await send(message, in: reserved, onStart)
  }

  private func send(
    _ message: consuming Message, in room: CallRoom.CallID?, _ onStart: OutgoingCalls.OnStart?
  ) async throws -> Message {
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
        guard let room, !message.bulk.isEmpty else { return connection.send(message) }
        connection.send(message) { [weak self] in self?.tell { $0.window?.sent(room) } }
      }
    } onCancel: {
      tell { link in
        guard link.outgoing.cancel(number) else { return }
        link.connection.send(Message(.cancel, call: number))
      }
    }
  }

  private func waitForRoom(_ call: CallRoom.CallID) async throws {
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
