/// The state of one connection between two peers, as one of them sees it. It decides when this side
/// may rely on the peer, and why the connection ends.
///
///     greeting ──▶ introduced ──▶ connected
///         └─────────────┴─────────────┴──▶ parting
///
/// The first reason to part stays. An event that arrives when the connection is parting already was
/// under way before that, and changes nothing. Any other event that is illegal in a state is refused
/// with the whole story of the connection.
package struct ConnectionLife: Sendable {
  /// Why a connection ends.
  package enum Reason: Sendable {
    case left(Goodbye)
    /// The peer said goodbye, with these words if any, and blamed nothing on this side.
    case peerLeft(String)
    /// The peer closed the connection without a goodbye.
    case closed
    case cancelled
    case lost(any Error)
    /// The peer was silent for this long, although its silence was checked at this interval.
    case silent(Duration, interval: Duration)
    /// The peer broke the protocol.
    case offended(WireError)
    /// The peer says that this side broke the protocol.
    case accused(Goodbye)
    /// Another connection to the peer's process exists.
    case connectedAlready
    /// The peer is this very process.
    case connectedToItself
    case refused(IllegalEvent)
  }

  /// A step that the owner of the connection takes.
  package enum Action: Hashable, Sendable {
    case ping
    /// Close the connection, after this goodbye if there is one.
    case close(saying: Goodbye?)
  }

  private enum State: Sendable {
    case greeting
    /// The peer has introduced itself. This side is looking up whether another connection to the
    /// peer's process exists.
    case introduced(isDraining: Bool)
    /// Both sides may call each other. A peer that drains takes no new calls for the rest of the
    /// connection.
    case connected(Heartbeat, isDraining: Bool)
    indirect case parting(Reason, from: State)
  }

  private var state = State.greeting
  /// One line for each state that the connection has been in.
  private var story = ["greeting"]

  package init() {}

  // MARK: Events

  /// The peer has introduced itself.
  ///
  /// - Parameter isThisProcess: whether the peer has the incarnation of this very process.
  package mutating func introduced(isThisProcess: Bool) throws(IllegalEvent) -> Action? {
    switch state {
    case .greeting: break
    case .introduced, .connected: throw illegal("the peer introduces itself twice")
    case .parting: return nil
    }
    move(to: .introduced(isDraining: false), "introduced")
    return isThisProcess ? parts(for: .connectedToItself) : nil
  }

  /// There is no other connection to the peer's process. This one is used from now on, with a
  /// ``Heartbeat`` of these timeouts.
  ///
  /// - Returns: the interval at which to call ``ticked(signsOfLife:at:)``, and whether the peer
  ///   takes no new calls. `nil` if the connection is parting; then the peer is not to be told of.
  package mutating func connected(
    timeout: Duration, peerTimeout: Duration, at now: Instant
  ) throws(IllegalEvent) -> (interval: Duration, isDraining: Bool)? {
    let isDraining: Bool
    switch state {
    case .introduced(let drains): isDraining = drains
    case .greeting: throw illegal("the peer is connected before it has introduced itself")
    case .connected: throw illegal("the peer is connected twice")
    case .parting: return nil
    }
    let heartbeat = Heartbeat(timeout: timeout, peerTimeout: peerTimeout, at: now)
    move(to: .connected(heartbeat, isDraining: isDraining), "connected")
    if isDraining { story.append("draining") }
    return (heartbeat.interval, isDraining)
  }

  /// The peer announces that it takes no new calls. It may announce this more than once.
  ///
  /// - Returns: whether to tell others: the announcement is new, and they know of the peer.
  package mutating func drained() throws(IllegalEvent) -> Bool {
    switch state {
    case .greeting: throw illegal("the peer drains before it has introduced itself")
    case .introduced:
      state = .introduced(isDraining: true)
      return false
    case .connected(let heartbeat, isDraining: false):
      move(to: .connected(heartbeat, isDraining: true), "draining")
      return true
    case .connected, .parting: return false
    }
  }

  /// The interval of the heartbeat has passed. `signsOfLife` is the connection's count so far.
  package mutating func ticked(
    signsOfLife: Int, at now: Instant
  ) throws(IllegalEvent) -> Action? {
    switch state {
    case .greeting, .introduced: throw illegal("the heartbeat ticks before the peer is connected")
    case .parting: return nil
    case .connected(var heartbeat, let isDraining):
      let silence = heartbeat.tick(signsOfLife: signsOfLife, at: now)
      state = .connected(heartbeat, isDraining: isDraining)
      guard let silence else { return .ping }
      return parts(for: .silent(silence, interval: heartbeat.interval))
    }
  }

  /// The connection is to end for this reason, unless it is parting for another one already.
  ///
  /// - Returns: `nil` if the connection is parting already.
  package mutating func parts(for reason: Reason) -> Action? {
    if case .parting = state { return nil }
    move(to: .parting(reason, from: state), "parting: \(reason)")
    return .close(saying: reason.goodbye)
  }

  /// The connection has ended. `reason` counts if there was none before.
  ///
  /// - Parameter isConnectedOtherwise: whether another connection to the peer's process exists. If
  ///   so, the peer may have noticed first and closed this one.
  package mutating func ended(for reason: Reason, isConnectedOtherwise: Bool) -> Ending {
    _ = parts(for: reason)
    guard case .parting(let first, let former) = state else {
      return Ending(reason: reason, wasConnected: false)
    }
    switch former {
    case .introduced where isConnectedOtherwise && first.isPeersDoing:
      return Ending(reason: .connectedAlready, wasConnected: false)
    case .connected: return Ending(reason: first, wasConnected: true)
    case .greeting, .introduced, .parting: return Ending(reason: first, wasConnected: false)
    }
  }

  // MARK: State

  /// How long the peer has been silent, if that is for two intervals of the heartbeat or more, and so
  /// may be the beginning of its end.
  package var notableSilence: Duration? {
    guard case .connected(let heartbeat, _) = state else { return nil }
    return heartbeat.silence >= heartbeat.interval * 2 ? heartbeat.silence : nil
  }

  /// Whether this process stood still at some time since `start`, or may have: the end of a
  /// connection that is parting may come from that.
  package func stoodStill(since start: Instant, at now: Instant) -> Bool {
    switch state {
    case .connected(let heartbeat, _): heartbeat.stoodStill(since: start, at: now)
    case .greeting, .introduced: false
    case .parting: true
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
  /// How a connection ended, and what follows.
  package struct Ending: Sendable {
    package let reason: Reason
    /// Whether others were told of the peer.
    package let wasConnected: Bool

    /// Whether one of the two sides said goodbye, and blamed the other of nothing.
    package var isInOrder: Bool {
      switch reason {
      case .left, .peerLeft: true
      case .closed, .cancelled, .lost, .silent, .offended, .accused, .connectedAlready,
        .connectedToItself, .refused:
        false
      }
    }

    /// Whether the peer may come back and ask for the scans that ran for it. It may unless it left
    /// or this side's task is over.
    package var mayComeBack: Bool {
      switch reason {
      case .left, .closed, .lost, .silent, .offended, .refused: true
      case .peerLeft, .cancelled, .accused, .connectedAlready, .connectedToItself: false
      }
    }

    /// The last instant at which the peer may have been alive. `nil` if it has not died: one side
    /// said that it leaves.
    package func lastAlive(at now: Instant) -> Instant? {
      switch reason {
      // A silent peer is noticed up to an interval late.
      case .silent(let silence, let interval): now + interval - silence
      case .closed, .lost, .offended, .refused: now
      case .left, .peerLeft, .cancelled, .accused, .connectedAlready, .connectedToItself: nil
      }
    }
  }
}

extension ConnectionLife.Reason {
  fileprivate var goodbye: Goodbye? {
    switch self {
    case .left(let goodbye): goodbye
    case .offended(let error): Goodbye(error)
    case .connectedAlready: Goodbye("already connected")
    case .connectedToItself: Goodbye("connected to itself")
    case .peerLeft, .closed, .cancelled, .lost, .silent, .accused, .refused: nil
    }
  }

  /// Whether the peer or the network ended the connection without saying what was wrong.
  fileprivate var isPeersDoing: Bool {
    switch self {
    case .peerLeft, .closed, .lost: true
    case .left, .cancelled, .silent, .offended, .accused, .connectedAlready, .connectedToItself,
      .refused:
      false
    }
  }
}
