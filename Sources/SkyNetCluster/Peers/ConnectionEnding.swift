import SkyNetCore

/// How a connection has ended, for the side that has opened or accepted it.
struct ConnectionEnding: Sendable {
  /// The peer; `nil` if it was not connected, as it did not introduce itself, or another connection to it was open.
  let peer: Hello?
  /// Why the connection ended, for people.
  let reason: String
  /// What went wrong; `nil` if one of the two sides left or closed the connection.
  let error: (any Error)?
  /// Whether one of the two sides said goodbye, and blamed the other of nothing.
  let isInOrder: Bool
  /// Whether it fell silent after the hellos: the peer has answered no call of this process, though there were some.
  let isUnanswered: Bool
}

extension ConnectionLife.Ending {
  /// The error of a connection with this ending; `nil` if one of the two sides left or closed it.
  ///
  /// - Parameter peer: the peer's hello, if it has arrived.
  func error(with peer: Hello?) -> (any Error)? {
    switch reason {
    case .left, .peerLeft, .closed: nil
    case .cancelled: CancellationError()
    case .lost(let error): error
    case .silent(let silence, _): PeerGone(silence: silence)
    case .offended(let error): error
    case .accused(let goodbye): goodbye
    case .connectedAlready: peer.map { AlreadyConnected(incarnation: $0.incarnation) }
    case .connectedToItself: ConnectedToItself()
    case .refused(let error): error
    }
  }

  /// Why the connection ended, for people. If the peer said goodbye, what it said.
  var description: String {
    switch reason {
    case .left(let goodbye) where !goodbye.message.isEmpty: "this side left: \(goodbye.message)"
    case .left, .cancelled: "this side left"
    case .accused(let goodbye): goodbye.message
    case .peerLeft(let words) where !words.isEmpty: words
    case .peerLeft, .closed, .lost, .silent, .offended, .connectedAlready, .connectedToItself,
      .refused:
      error(with: nil).map { "\($0)" } ?? "the connection was closed"
    }
  }

  /// The peer's death; `nil` if the ending shows that the peer did not die.
  func death(of peer: Hello, at now: Instant) -> PeerDeath? {
    lastAlive(at: now).map { PeerDeath(slots: peer.slots, lastAlive: $0) }
  }
}

/// The peer was silent for longer than the timeout.
struct PeerGone: Error, CustomStringConvertible {
  let silence: Duration

  var description: String { "not heard from for \(silence.inTenths) s" }
}

/// A connection leads to another peer than the one that is meant.
struct OtherPeer: Error, CustomStringConvertible {
  var description: String { "its address leads to another peer" }
}

/// Another connection leads to the same process.
struct AlreadyConnected: Error, CustomStringConvertible {
  let incarnation: Incarnation

  var description: String { "its process is connected already" }
}

/// The peer has the incarnation of this process: the address leads back to it.
struct ConnectedToItself: Error, CustomStringConvertible {
  var description: String { "it is this very process: the way there leads back here" }
}
