import SkyNetCore

/// The peer's calls of `ScanSystem.run(_:)`, which enter by ``ScanSystem/begin(_:whenDone:)``. They are not
/// called as Swift's distributed targets, as the lookup would cost each task as much as the rest of its way
/// does.
extension PeerLink {
  /// Begins the scan that the peer asks for, or gives the call the scan that was kept for it when an earlier
  /// connection broke.
  ///
  /// - Throws: `WireError` if the peer may not make this call now.
  func beginScan(_ message: Message, for hello: Hello) throws(WireError) {
    let id = message.call
    let claimed = scanSystem?.claim(message, by: hello.incarnation)
    let call: ScanCall
    do {
      call = try claimed ?? scanCall(for: message, of: hello)
    } catch {
      try incoming.check(id, holding: message.byteCount)
      return connection.send(Message(.failure, call: id, encoding: CallFailure(error)))
    }
    do throws(WireError) {
      try incoming.add(id, holding: message.byteCount, as: .scan(call))
    } catch {
      call.cancel()
      throw error
    }
    guard claimed != nil else {
      scanSystem?.begin(call) { self.answer(id, $0) }
      return
    }
    connection.send(.started(call: id, ran: scanSystem?.runningTime(of: call) ?? .zero))
    call.regainCaller { self.answer(id, $0) }
  }

  private func scanCall(for message: Message, of hello: Hello) throws -> ScanCall {
    guard let scanSystem else { throw CallFailure.noScans }
    let tellStart: @Sendable (_ ran: Duration) -> Void = { [connection, id = message.call] ran in
      connection.send(.started(call: id, ran: ran))
    }
    var context = CallContext(
      client: hello.incarnation, clientName: hello.name, onStartAfter: tellStart)
    context.receiver = actorSystem.executor
    return ScanCall(
      try actorSystem.coder.decodeTask(from: message), from: context, message: message,
      on: scanSystem)
  }

  /// Codes the answer on the thread that has scanned.
  private nonisolated func answer(_ call: UInt64, _ outcome: ScanCall.Outcome) {
    let answer: Message
    do {
      let (body, bulk) = try actorSystem.coder.encode(try outcome.get())
      answer = Message(.reply, call: call, body: body, bulk: bulk)
    } catch {
      answer = Message(.failure, call: call, encoding: CallFailure(error))
    }
    tell { link in
      link.connection.send(answer)
      link.incoming.ended(call)
    }
  }

  // MARK: After the connection broke

  /// Lets the running scans go on without their caller, if an earlier connection of the peer broke too: then
  /// the peer is known to come back.
  func orphanScans(of client: Incarnation) {
    guard let scanSystem else { return }
    let calls = incoming.scans
    let kept = scanSystem.keepScans(of: client, calls.map { ($0.call, $0.held) })
    let ids = Dictionary(calls.map { ($0.call.number, $0.id) }) { first, _ in first }
    for orphan in kept {
      if let id = ids[orphan.call.number] { incoming.handOver(id) }
    }
    // Kept scans give way to a waiting call of another client. A call that began to wait before they were
    // kept did not find them, so they end now.
    if scanSystem.hasWaitingCall(besides: client) { return scanSystem.abandon(kept) }
    orphans = kept
  }

  /// Keeps the orphaned scans for as long as this side's timeout, so that the peer may connect again and ask
  /// for them. Then cancels those that the peer has not claimed.
  func keepOrphans() async {
    guard !orphans.isEmpty else { return }
    try? await clock.sleep(until: clock.now + .seconds(actorSystem.hello.timeoutSeconds))
    scanSystem?.abandon(orphans)
  }
}
