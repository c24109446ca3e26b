import SkyNetCore

/// What this side tells the peer while it takes no new calls.
extension PeerLink {
  /// Introduces this side, and tells a peer that connects while this side drains that it does.
  func sendHello() {
    connection.send(Message(.hello, encoding: actorSystem.hello))
    hasSentHello = true
    if actorSystem.drainReason != nil { announceDrain() }
  }

  /// Tells the peer, once, that this side takes no new calls. Before the hello nothing may be sent;
  /// ``sendHello()`` makes up for it.
  func announceDrain() {
    guard hasSentHello, !hasAnnouncedDrain else { return }
    hasAnnouncedDrain = true
    connection.send(.drain(askedBy: actorSystem.drainReason?.client))
  }

  /// Ends the connection as soon as all calls of the peer are answered, if the peer was told that this side takes
  /// none, and this side takes them again: the peer has to connect anew to send some.
  func leaveToServeAgain() {
    guard hasAnnouncedDrain else { return }
    whenCallsAreAnswered { [weak self] in
      self?.tell { link in
        guard link.actorSystem.drainReason == nil else { return }
        link.end(for: .left(.takesScansAgain))
      }
    }
  }
}
