import SkyNetCore

/// The peer's calls of `ScanSystem.run(_:)`, which enter by `ScanSystem.begin`. They are not called as Swift's
/// distributed targets, as the lookup would cost each task as much as the rest of its way does.
extension PeerLink {
  /// Begins the scan that the peer asks for, or gives the call the scan that was kept for it when an earlier
  /// connection broke.
  ///
  /// - Throws: `WireError` if the peer may not make this call now.
  func beginScan(_ message: Message, for hello: Hello) throws(WireError) {
    let id = message.call
    try incoming.check(id, holding: message.byteCount)
    let whenDone: ScanCall.WhenDone = { [weak self] outcome in
      self?.tell { $0.answer(id, outcome) }
    }
    // A scan that has ended answers at once, and the call is not in the table yet.
    let whenClaimed: ScanCall.WhenDone = { [weak self] outcome in
      self?.executor.execute { whenDone(outcome) }
    }
    if let (number, ran) = scanSystem?.here({
      $0.claim(message, by: hello.incarnation, whenDone: whenClaimed)
    }) ?? nil {
      try incoming.add(id, holding: message.byteCount, as: .scan(number))
      return connection.send(.started(call: id, ran: ran))
    }
    do {
      guard let scanSystem, let number = scanSystem.here({ $0.nextCall() }) else {
        throw CallFailure.noScans
      }
      let task = try actorSystem.coder.decodeTask(from: message)
      try incoming.add(id, holding: message.byteCount, as: .scan(number))
      let context = context(of: id, hello)
      scanSystem.here {
        $0.begin(number, task, from: context, message: message, whenDone: whenDone)
      }
    } catch let error as WireError {
      throw error
    } catch {
      connection.send(Message(.failure, call: id, encoding: CallFailure(error)))
    }
  }

  private func context(of call: UInt64, _ hello: Hello) -> CallContext {
    let tellStart: @Sendable (_ ran: Duration) -> Void = { [connection] ran in
      connection.send(.started(call: call, ran: ran))
    }
    var context = CallContext(
      client: hello.incarnation, clientName: hello.name, onStartAfter: tellStart)
    context.isRemote = true
    return context
  }

  private func answer(_ call: UInt64, _ outcome: ScanCall.Outcome) {
    do {
      let (body, bulk) = try actorSystem.coder.encode(try outcome.get())
      connection.send(Message(.reply, call: call, body: body, bulk: bulk))
    } catch {
      connection.send(Message(.failure, call: call, encoding: CallFailure(error)))
    }
    incoming.ended(call)
  }

  func cancel(_ call: IncomingCalls.Call?) {
    switch call {
    case .scan(let number): scanSystem?.here { $0.cancel(number) }
    case .task(let task): task.cancel()
    case nil: break
    }
  }

  // MARK: After the connection broke

  /// Lets the running scans go on without their caller, if an earlier connection of the peer broke too: then
  /// the peer is known to come back.
  func orphanScans(of client: Incarnation) {
    let calls = incoming.scans
    orphans = scanSystem?.here { $0.keepScans(of: client, calls.map { ($0.scan, $0.held) }) } ?? []
    for call in calls where orphans.contains(call.scan) { incoming.handOver(call.id) }
  }

  /// Keeps the orphaned scans for as long as this side's timeout, so that the peer may connect again and ask
  /// for them. Then cancels those that the peer has not claimed.
  func keepOrphans() async {
    guard !orphans.isEmpty else { return }
    try? await clock.sleep(until: clock.now + .seconds(actorSystem.hello.timeoutSeconds))
    let kept = orphans
    scanSystem?.here { $0.abandon(kept) }
  }
}
