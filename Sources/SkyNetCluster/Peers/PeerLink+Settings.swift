import SkyNetCore

/// Large settings, which go over a connection once and are kept at its other end.
extension PeerLink {
  /// Whether the peer keeps these settings. If so, a task may refer to them, and ``doneWith(_:)`` is to follow.
  func use(_ settings: CodedSettings) -> Bool { sentSettings.use(settings) }

  /// Has the peer keep settings, unless it does already.
  ///
  /// - Returns: whether there is a place for them. If not, they have to come with the task.
  /// - Throws: `CallFailure`; ``ConnectionLost``; `CancellationError`.
  func keep(_ settings: CodedSettings) async throws -> Bool {
    if let fault = settings.fault { throw fault }
    while true {
      switch sentSettings.add(settings) {
      case .there: return true
      case .noRoom: return false
      case .underWay(let arrival): try await arrival.value()
      case .toSend(let dropped, let arrival):
        do {
          _ = try await call(settings.message(dropping: dropped), onStart: nil)
        } catch {
          sentSettings.failed(settings.id)
          // If only this caller was cancelled, another one that waits sends them.
          arrival.complete(error is CancellationError ? .success(()) : .failure(error))
          throw error
        }
        sentSettings.arrived(settings.id, dropping: dropped)
        arrival.complete(.success(()))
        return true
      }
    }
  }

  /// An attempt no longer refers to the settings.
  func doneWith(_ settings: CodedSettings?) {
    if let settings { sentSettings.done(with: settings.id) }
  }

  /// Begins the call by which the peer has settings kept here.
  func beginKeeping(_ message: Message) {
    let id = message.call
    let task = Task.immediate(executorPreference: executor) {
      var answer = await answerToKeeping(message)
      answer.call = id
      connection.send(answer, whenSent: nil)
      for waiter in incoming.ended(id) { waiter() }
    }
    incoming.began(id, as: task)
  }

  private func answerToKeeping(_ message: Message) async -> Message {
    do {
      try await keepSettings(of: message)
      return Message(.reply)
    } catch {
      if let error = error as? WireError { end(for: .offended(error)) }
      return Message(.failure, encoding: CallFailure(error))
    }
  }

  private func keepSettings(of message: Message) async throws {
    // Not on the engine, as millions of numbers take a second. The peer waits for the answer before it refers to them.
    let order = try await executor.onPool { [coder = actorSystem.coder] in
      try SettingsToKeep(from: message, by: coder)
    }
    guard !hasEnded else { throw CancellationError() }
    let kept = self.kept ?? KeptSettings()
    self.kept = kept
    let before = kept.byteCount
    defer { connection.memory?.changeWhole(by: kept.byteCount - before) }
    try kept.keep(order)
  }

  /// The connection has ended.
  func dropKeptSettings() {
    guard let kept else { return }
    connection.memory?.changeWhole(by: -kept.byteCount)
    self.kept = nil
  }
}
