/// Decides what becomes of one connection between two peers, as one of them sees it: when the peer is
/// counted on, and for which reason the connection ends.
///
///     greeting ──▶ introduced ──▶ connected ──▶ draining
///         │             │             │             │
///         └─────────────┴──────┬──────┴─────────────┘
///                              ▼
///                           parting
///
/// The first reason to part stays. What comes while the connection parts was under way when it began
/// to, and changes nothing. Any other event that has no place in a state is a bug of this program's, and
/// is refused with all that happened to the connection before.
package struct ConnectionLife: Sendable {
  /// Why a connection ends.
  package enum Reason: Sendable {
    /// This side said goodbye.
    case left(Goodbye)
    /// The peer said goodbye, and not because of anything that this side did.
    case peerLeft
    /// The peer closed the connection without a goodbye.
    case closed
    /// This side's task was cancelled.
    case cancelled
    /// The network failed.
    case lost(any Error)
    /// The peer was not heard from for this long, though it was listened for every so often.
    case silent(Duration, interval: Duration)
    /// The peer broke the protocol.
    case offended(WireError)
    /// The peer says that this side broke the protocol.
    case accused(Goodbye)
    /// The peer's process is connected by another connection.
    case connectedAlready
    /// The peer is this very process.
    case connectedToItself
    /// An event was refused.
    case refused(IllegalEvent)
  }

  /// What the connection's owner has to do.
  package enum Action: Hashable, Sendable {
    case ping
    /// Closes the connection, after this goodbye if there is one.
    case close(saying: Goodbye?)
  }

  /// What this side has come to know of the peer, and whether it counts on it.
  private enum Acquaintance {
    case stranger, introduced, connected
  }

  private enum State {
    /// The peer has not introduced itself.
    case greeting
    /// The peer has introduced itself. Whether its process is connected already is being looked up.
    case introduced(isDraining: Bool)
    /// Both sides may call each other.
    case connected(Heartbeat)
    /// The same, but the peer takes no new calls, for as long as the connection lasts.
    case draining(Heartbeat)
    /// The connection ends, or has ended.
    case parting(Reason, from: Acquaintance)
  }

  package typealias IllegalEvent = SkyNetCore.IllegalEvent

  private var state = State.greeting
  /// One line for each state that the connection was in, so at most five.
  private var story = ["greeting"]

  package init() {}

  // MARK: What happens to the connection

  /// The peer has introduced itself.
  ///
  /// - Parameter isThisProcess: whether the peer has this process's own incarnation.
  package mutating func introduced(isThisProcess: Bool) throws(IllegalEvent) -> Action? {
    switch state {
    case .greeting: break
    case .introduced, .connected, .draining: throw illegal("it introduces itself twice")
    case .parting: return nil
    }
    move(to: .introduced(isDraining: false), "introduced")
    return isThisProcess ? parts(for: .connectedToItself) : nil
  }

  /// The peer's process is not connected otherwise, and is by this connection from now on.
  ///
  /// - Parameters:
  ///   - timeout: the silence after which the peer is gone.
  ///   - peerTimeout: the silence after which the peer takes this side for gone.
  /// - Returns: how often to call ``ticked(signsOfLife:at:)``, and whether the peer takes no new calls;
  ///   `nil` if the connection parts, and the peer is not to be told of.
  package mutating func connected(
    timeout: Duration, peerTimeout: Duration, at now: Instant
  ) throws(IllegalEvent) -> (interval: Duration, isDraining: Bool)? {
    let isDraining: Bool
    switch state {
    case .introduced(let drains): isDraining = drains
    case .greeting: throw illegal("it is connected before it has introduced itself")
    case .connected, .draining: throw illegal("it is connected twice")
    case .parting: return nil
    }
    let heartbeat = Heartbeat(timeout: timeout, peerTimeout: peerTimeout, at: now)
    move(to: .connected(heartbeat), "connected")
    if isDraining { move(to: .draining(heartbeat), "draining") }
    return (heartbeat.interval, isDraining)
  }

  /// The peer says that it takes no new calls. It may say so more than once.
  ///
  /// - Returns: whether that is to be told: it is news, and others know of the peer.
  package mutating func drained() throws(IllegalEvent) -> Bool {
    switch state {
    case .greeting: throw illegal("it drains before it has introduced itself")
    case .introduced:
      state = .introduced(isDraining: true)
      return false
    case .connected(let heartbeat):
      move(to: .draining(heartbeat), "draining")
      return true
    case .draining, .parting: return false
    }
  }

  /// The heartbeat's interval has passed; `signsOfLife` is the connection's count so far.
  package mutating func ticked(
    signsOfLife: Int, at now: Instant
  ) throws(IllegalEvent) -> Action? {
    var heartbeat: Heartbeat
    switch state {
    case .greeting, .introduced: throw illegal("its heart beats before it is connected")
    case .connected(let one), .draining(let one): heartbeat = one
    case .parting: return nil
    }
    let verdict = heartbeat.tick(signsOfLife: signsOfLife, at: now)
    if case .draining = state {
      state = .draining(heartbeat)
    } else {
      state = .connected(heartbeat)
    }
    switch verdict {
    case .ping: return .ping
    case .gone(let silence):
      return parts(for: .silent(silence, interval: heartbeat.interval))
    }
  }

  /// There is a reason to end the connection.
  ///
  /// - Returns: `nil` if there was one before.
  package mutating func parts(for reason: Reason) -> Action? {
    if case .parting = state { return nil }
    move(to: .parting(reason, from: acquaintance), "parting: \(reason)")
    return .close(saying: reason.goodbye)
  }

  /// The connection has ended, for this reason if there was none before.
  ///
  /// - Parameter isConnectedOtherwise: whether the peer's process is connected by another connection.
  ///   The peer may have noticed first, and have closed this one.
  package mutating func ended(for reason: Reason, isConnectedOtherwise: Bool) -> Ending {
    _ = parts(for: reason)
    guard case .parting(let first, let acquaintance) = state else {
      return Ending(reason: reason, wasConnected: false)
    }
    if acquaintance == .introduced, isConnectedOtherwise, first.isPeersDoing {
      return Ending(reason: .connectedAlready, wasConnected: false)
    }
    return Ending(reason: first, wasConnected: acquaintance == .connected)
  }

  // MARK: What is known of it

  /// Whether others were told of the peer, and so are to be told of its end.
  package var wasConnected: Bool { acquaintance == .connected }

  /// Whether this process stood still at some time since then, as far as is known. Of a connection that
  /// parts it is not known, and may have been the cause.
  package func stoodStill(since start: Instant, at now: Instant) -> Bool {
    switch state {
    case .connected(let heartbeat), .draining(let heartbeat):
      heartbeat.stoodStill(since: start, at: now)
    case .greeting, .introduced: false
    case .parting: true
    }
  }

  private var acquaintance: Acquaintance {
    switch state {
    case .greeting: .stranger
    case .introduced: .introduced
    case .connected, .draining: .connected
    case .parting(_, let acquaintance): acquaintance
    }
  }

  private mutating func move(to next: State, _ line: String) {
    state = next
    story.append(line)
  }

  private func illegal(_ event: String) -> IllegalEvent {
    IllegalEvent(event: event, state: story.last ?? "greeting", story: story)
  }
}

extension ConnectionLife {
  /// How a connection ended, and what follows from that.
  package struct Ending: Sendable {
    package let reason: Reason
    /// Whether others were told of the peer.
    package let wasConnected: Bool

    /// Whether the peer may come back, and ask for the scans that ran for it: neither did it leave, nor
    /// is this side's task over.
    package var mayComeBack: Bool {
      switch reason {
      case .left, .closed, .lost, .silent, .offended, .refused: true
      case .peerLeft, .cancelled, .accused, .connectedAlready, .connectedToItself: false
      }
    }

    /// When the peer may last have been alive, if it may have died: neither side said that it leaves.
    package func lastAlive(at now: Instant) -> Instant? {
      switch reason {
      // One that fell silent is looked at once an interval.
      case .silent(let silence, let interval): now.advanced(by: interval - silence)
      case .closed, .lost, .offended, .refused: now
      case .left, .peerLeft, .cancelled, .accused, .connectedAlready, .connectedToItself: nil
      }
    }
  }
}

extension ConnectionLife.Reason {
  /// What the peer is told.
  fileprivate var goodbye: Goodbye? {
    switch self {
    case .left(let goodbye): goodbye
    case .offended(let error): Goodbye(error)
    case .connectedAlready: Goodbye("already connected")
    case .connectedToItself: Goodbye("connected to itself")
    case .peerLeft, .closed, .cancelled, .lost, .silent, .accused, .refused: nil
    }
  }

  /// Whether the peer, or the way to it, ended the connection without saying what was wrong.
  fileprivate var isPeersDoing: Bool {
    switch self {
    case .peerLeft, .closed, .lost: true
    case .left, .cancelled, .silent, .offended, .accused, .connectedAlready, .connectedToItself,
      .refused:
      false
    }
  }
}
