import Distributed
import SkyNetCore
import Synchronization

/// The handling of the peer's messages, which come in order, on the transport's thread.
extension PeerLink {
  func received(_ message: Message) {
    do throws(WireError) {
      if let peer = state.withLock({ $0.peer }) {
        try dispatch(message, from: peer.hello)
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
      try incoming.begin(message.call, holding: message.byteCount, on: actorSystem.executor) {
        await self.callMethod(message, for: hello)
      }
    case .started: outgoing.started(message.call, ran: try message.decodeStart())
    case .reply, .failure: outgoing.answered(message)
    case .cancel: incoming.cancel(message.call)
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
    let hasNews = state.withLock { state in
      guard state.relayed != body.relayed else { return false }
      state.relayed = body.relayed
      return true
    }
    if hasNews { onRelayed(hello, body.relayed) }
    state.withLock { state in
      // Nearly all pings come from peers without engagements.
      guard !summaries.isEmpty || !state.engagements.isEmpty else { return }
      // A peer may say what it likes of its work, but not whose it is.
      state.engagements = summaries.map { summary in
        var summary = summary
        summary.client = state.peer?.hello.name ?? summary.client
        return summary
      }
    }
  }

  /// The engagements of the peer, as its last ping told. There are none when the connection has ended.
  var engagements: [EngagementSummary] { state.withLock { $0.engagements } }

  private func drained(_ id: Incarnation, by client: String?) {
    state.withLock { $0.drainedBy = client }
    let isFirst = decide { life throws(IllegalEvent) in try life.drained() }
    if isFirst == true { onDrain(id, client) }
  }

  private func receivedGoodbye(_ message: Message) {
    let goodbye = try? message.decodeBody(Goodbye.self)
    if let goodbye, goodbye.code != nil { return end(for: .accused(goodbye)) }
    if let goodbye, !goodbye.message.isEmpty { state.withLock { $0.farewell = goodbye.message } }
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
    await incoming.waitUntilEmpty()
  }
}
