import Distributed
import SkyNetCore

/// The peer's calls of this process's ``ScanSystem``.
extension PeerLink {
  /// Begins the call that the peer asks for. It is answered when the method returns or throws.
  ///
  /// - Throws: `WireError` if the peer may not make this call now.
  func begin(_ message: Message, for hello: Hello) throws(WireError) {
    let id = message.call
    try incoming.add(id, holding: message.byteCount)
    guard let scanSystem else {
      _ = incoming.ended(id)
      return connection.send(Message(.failure, call: id, encoding: CallFailure.noScans))
    }
    if message.target == CallTargets.keep { return beginKeeping(message) }
    if !hasAskedForScans, message.target == CallTargets.run {
      hasAskedForScans = true
      onNews(hello, .asksForScans)
    }
    let arrival = CallArrival(
      message: message, connection: ObjectIdentifier(self), address: remoteAddress,
      memory: connection.memory)
    let scan = scanSystem.scan(askedForBy: message, with: kept)
    let context = CallContext(
      client: hello.incarnation, clientName: hello.name, arrival: arrival,
      scope: (try? scan?.get()).map(LogScope.init(of:))
    ) { [connection] ran in
      connection.send(.started(call: id, ran: ran))
    }
    // The task has the context from its beginning, which takes two looks at executors less than to get it later.
    let task = CallContext.$current.withValue(context) {
      scanSystem.here { system in
        // Isolated to the system, so that it begins and ends on the engine. Where a distributed actor waits, Swift takes
        // the task for one of no actor, and so it does with a scan's own code: it also has to prefer the engine.
        Task.immediate(executorPreference: executor) {
          var answer = await system.answer(message, scan)
          answer.call = id
          connection.send(answer, whenSent: nil)
          self.here { for waiter in $0.incoming.ended(id) { waiter() } }
        }
      }
    }
    incoming.began(id, as: task)
  }

  /// The peer leaves many answers unread, or does so no longer.
  func noted(isBehind: Bool) {
    guard isBehind != self.isBehind, let peer else { return }
    self.isBehind = isBehind
    scanSystem?.here { $0.noted(peer.incarnation, leavesUnread: isBehind) }
  }

  /// Calls this once, when all calls of the peer have been answered.
  func whenCallsAreAnswered(_ body: @escaping () -> Void) {
    if incoming.isEmpty { body() } else { incoming.afterLast(body) }
  }

  /// Waits until the peer's calls have been answered.
  func waitForCalls() async {
    await withCheckedContinuation { waiter in whenCallsAreAnswered { waiter.resume() } }
  }

  // MARK: After the connection broke

  /// Keeps the orphaned scans for as long as this side's timeout, so that the peer may connect again and ask
  /// for them. Then cancels those that the peer has not claimed.
  func keepOrphans() async {
    guard !orphans.isEmpty else { return }
    try? await clock.sleep(until: clock.now + .seconds(actorSystem.hello.timeoutSeconds))
    let kept = orphans
    scanSystem?.here { $0.abandon(kept) }
  }
}
