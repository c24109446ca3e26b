import Distributed
import SkyNetCore

/// The handling of the peer's messages, which come in order, on the engine.
extension PeerLink {
  func received(_ message: Message) {
    do throws(WireError) {
      if let peer {
        try dispatch(message, from: peer)
      } else if message.kind == .goodbye {
        receivedGoodbye(message)
      } else {
        introduced(try message.decodeHello())
      }
    } catch {
      end(for: .offended(error))
    }
  }

  private func dispatch(_ message: Message, from hello: Hello) throws(WireError) {
    switch message.kind {
    case .call where message.target == CallTargets.run: try beginScan(message, for: hello)
    case .call:
      try incoming.check(message.call, holding: message.byteCount)
      let call = Task {
        await self.callMethod(message, for: hello)
        self.incoming.ended(message.call)
      }
      try incoming.add(message.call, holding: message.byteCount, as: .task(call))
    case .started: outgoing.started(message.call)?(try message.decodeStart())
    case .reply, .failure: outgoing.answered(message)
    case .cancel: cancel(incoming[message.call])
    case .ping:
      connection.send(Message(.pong))
      take(try message.decodePing(), from: hello)
    case .pong: break
    case .drain: drained(hello.incarnation, by: message.decodeDrainingClient())
    case .goodbye: receivedGoodbye(message)
    case .hello: throw WireError(.unexpected, "a second hello")
    case .chunk: throw WireError(.unexpected, "a chunk of no message")
    }
  }

  /// Keeps what a ping tells of, until the next ping or the end of the connection.
  private func take(_ body: PingBody, from hello: Hello) {
    let summaries = body.engagements
    if relayed != body.relayed {
      relayed = body.relayed
      onRelayed(hello, body.relayed)
    }
    // A peer may say what it likes of its work, but not whose it is.
    actorSystem.note(
      summaries.map { summary in
        var summary = summary
        summary.client = hello.name
        return summary
      }, of: self, as: hello.incarnation)
  }

  private func drained(_ id: Incarnation, by client: String?) {
    drainedBy = client
    let isFirst = decide { life throws(IllegalEvent) in try life.drained() }
    if isFirst == true { onDrain(id, client) }
  }

  private func receivedGoodbye(_ message: Message) {
    let goodbye = try? message.decodeBody(Goodbye.self)
    if let goodbye, goodbye.code != nil { return end(for: .accused(goodbye)) }
    if let goodbye, !goodbye.message.isEmpty { farewell = goodbye.message }
    end(for: .peerLeft)
  }

  /// Calls the distributed method that the peer asks for, and answers. The method is not `run(_:)`, which
  /// ``beginScan(_:for:)`` handles.
  private func callMethod(_ message: Message, for hello: Hello) async {
    let send: @Sendable (Message) -> Void = { [connection] in connection.send($0) }
    do {
      guard let identifier = CallTargets.identifiers[message.target] else {
        throw CallFailure.noMethod(message.target)
      }
      guard let scanSystem else { throw CallFailure.noScans }
      var context = CallContext(client: hello.incarnation, clientName: hello.name)
      context.clientAddress = remoteAddress
      try await CallContext.$current.withValue(context) {
        var decoder = CallDecoder(message: message, coder: actorSystem.coder)
        try await actorSystem.executeDistributedTarget(
          on: scanSystem, target: RemoteCallTarget(identifier), invocationDecoder: &decoder,
          handler: CallResultHandler(call: message.call, coder: actorSystem.coder, send: send))
      }
    } catch {
      send(Message(.failure, call: message.call, encoding: CallFailure(error)))
    }
  }

  /// Waits until the peer's calls have been answered.
  func waitForCalls() async {
    await withCheckedContinuation { waiter in incoming.whenEmpty { waiter.resume() } }
  }
}
