import SkyNetCore

/// The calls that the peer of one connection has not answered. Each call leaves exactly once: when its answer
/// comes, when its caller is cancelled, or when the connection ends.
struct OutgoingCalls {
  typealias Answer = CheckedContinuation<Message, any Error>
  typealias OnStart = @Sendable (_ ran: Duration) -> Void

  private struct Call {
    let answer: Answer
    let onStart: OnStart?
    let sent: Instant
    var hasStarted = false
  }

  private var calls: [UInt64: Call] = [:]
  private var lastNumber: UInt64 = 0
  private var end: ConnectionLost?
  private var hasAnswer = false

  mutating func number() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// A call is about to be sent. Returns whether it may be; if not, its caller has its answer already.
  mutating func add(
    _ number: UInt64, at now: Instant, onStart: OnStart?, answer: Answer
  ) -> Bool {
    if let refusal: any Error = end ?? (Task.isCancelled ? CancellationError() : nil) {
      answer.resume(throwing: refusal)
      return false
    }
    calls[number] = Call(answer: answer, onStart: onStart, sent: now)
    return true
  }

  /// The peer says that a call's scan has begun. Returns what to call with how long it has run already.
  mutating func started(_ number: UInt64) -> OnStart? {
    calls[number]?.hasStarted = true
    return calls[number]?.onStart
  }

  /// Whether there are calls, and the peer has answered none of this connection's.
  var areUnanswered: Bool { !hasAnswer && !calls.isEmpty }
  /// Whether the peer has begun a call that it has not answered.
  var haveStarted: Bool { calls.values.contains(where: \.hasStarted) }

  /// An answer came. An answer to a call that has left is late, and is ignored.
  mutating func answered(_ message: Message) {
    hasAnswer = true
    guard let answer = calls.removeValue(forKey: message.call)?.answer else { return }
    guard message.kind == .failure else { return answer.resume(returning: message) }
    do {
      answer.resume(throwing: try message.decodeBody(CallFailure.self))
    } catch {
      answer.resume(throwing: error)
    }
  }

  /// The caller is cancelled. Returns whether the peer has the call, and is to be told.
  mutating func cancel(_ number: UInt64) -> Bool {
    guard let answer = calls.removeValue(forKey: number)?.answer else { return false }
    answer.resume(throwing: CancellationError())
    return true
  }

  /// Fails all unanswered calls, and all later ones, since the connection has ended.
  ///
  /// - Parameters:
  ///   - death: the peer's death, if the peer did not leave in order.
  ///   - cancelledWithin: how long it may take until the peer cancels the calls' scans, if it lives.
  mutating func end(
    _ reason: String, death: PeerDeath? = nil, cancelledWithin: Duration = .zero
  ) {
    end = ConnectionLost(reason: reason)
    for (place, call) in calls.sorted(by: { $0.key < $1.key }).map(\.value).enumerated() {
      let mayBeToBlame =
        death?.mayBeDue(toCallAt: place, sent: call.sent, hasStarted: call.hasStarted) ?? false
      call.answer.resume(
        throwing: ConnectionLost(
          reason: reason, mayBeToBlame: mayBeToBlame,
          cancelledWithin: cancelledWithin))
    }
    calls = [:]
  }
}
