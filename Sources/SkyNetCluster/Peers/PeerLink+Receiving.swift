import SkyNetCore

/// The handling of the peer's messages, which come in order, on the engine.
extension PeerLink {
  func received(_ message: Message) {
    do throws(WireError) {
      guard let peer else {
        if message.kind == .goodbye { return receivedGoodbye(message) }
        return introduced(try message.decodeHello())
      }
      switch message.kind {
      case .call: try begin(message, for: peer)
      case .started:
        let ran = try message.decodeStart()
        outgoing.started(message.call)?(ran)
      case .reply, .failure: outgoing.answered(message)
      case .cancel: incoming[message.call]?.cancel()
      case .ping:
        connection.send(Message(.pong))
        take(try message.decodePing(), from: peer)
      case .pong: break
      case .drain: drained(peer, by: message.decodeDrainingClient())
      case .goodbye: receivedGoodbye(message)
      case .hello: throw WireError(.unexpected, "a second hello")
      case .chunk: throw WireError(.unexpected, "a chunk of no message")
      }
    } catch {
      end(for: .offended(error))
    }
  }

  /// Keeps what a ping tells of, until the next ping or the end of the connection.
  private func take(_ body: PingBody, from hello: Hello) {
    if relayed != body.relayed {
      relayed = body.relayed
      onNews(hello, .relays(body.relayed))
    }
    // A peer may say what it likes of its work, but not whose it is.
    let engagements = body.engagements.map { summary in
      var summary = summary
      summary.client = hello.name
      return summary
    }
    actorSystem.peers.here { $0.note(engagements, of: self, as: hello.incarnation) }
  }

  private func drained(_ hello: Hello, by client: String?) {
    drainedBy = client
    let isFirst = decide { life throws(IllegalEvent) in try life.drained() }
    if isFirst == true { onNews(hello, .drains(by: client)) }
  }

  private func receivedGoodbye(_ message: Message) {
    let goodbye = try? message.decodeBody(Goodbye.self)
    if let goodbye, goodbye.code != nil { return end(for: .accused(goodbye)) }
    end(for: .peerLeft(goodbye?.message ?? ""))
  }
}
