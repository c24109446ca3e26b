/// Decides whether an invitation is open, and how it ends. It is pure.
///
///     open ──▶ handingOver ──▶ ended
///       └────────────────────────▲
///
/// An invitation hands out the keys once. They count as handed out when they are sent, as the peer may have them
/// even if it says nothing more.
struct InvitationDesk {
  typealias Visitor = UInt64

  /// So many wrong codes end an invitation.
  static let wrongCodeLimit = 3

  private enum State: Equatable {
    case open(wrongCodes: Int)
    /// The keys are on their way to this visitor.
    case handingOver(Visitor, host: String)
    case ended
  }

  private var state = State.open(wrongCodes: 0)

  /// A peer does not have the code, or its bytes were changed on their way.
  ///
  /// - Returns: how many more wrong codes end the invitation, and how it has ended if it has; `nil` if the
  ///   invitation is not open.
  mutating func wrongCode() -> (left: Int, ending: InvitationEnding?)? {
    guard case .open(let count) = state else { return nil }
    let left = Self.wrongCodeLimit - count - 1
    state = left > 0 ? .open(wrongCodes: count + 1) : .ended
    return (left, left > 0 ? nil : .wrongCodes)
  }

  /// A visitor has proved that it has the code. Returns whether it gets the keys.
  mutating func proved(_ visitor: Visitor, host: String) -> Bool {
    guard case .open = state else { return false }
    state = .handingOver(visitor, host: host)
    return true
  }

  /// The visitor says that it has kept the keys.
  mutating func confirmed(_ visitor: Visitor) -> InvitationEnding? {
    handedOver(visitor) { .used(host: $0) }
  }

  /// The visitor's connection has ended, or its time is up.
  mutating func lost(_ visitor: Visitor) -> InvitationEnding? {
    handedOver(visitor) { .unconfirmed(host: $0) }
  }

  /// The keys cannot be read, so that none were sent to the visitor.
  mutating func unreadable(_ visitor: Visitor, _ reason: String) -> InvitationEnding? {
    handedOver(visitor) { _ in .unreadable(reason: reason) }
  }

  /// The invitation is closed early. Keys that were sent, and are not confirmed, are told of.
  mutating func withdrawn() -> InvitationEnding? {
    switch state {
    case .open:
      state = .ended
      return .withdrawn
    case .handingOver(let visitor, _): return lost(visitor)
    case .ended: return nil
    }
  }

  /// The invitation's time is up. A visitor that is getting the keys still does.
  mutating func expired() -> InvitationEnding? {
    guard case .open = state else { return nil }
    state = .ended
    return .expired
  }

  private mutating func handedOver(
    _ visitor: Visitor, _ ending: (String) -> InvitationEnding
  ) -> InvitationEnding? {
    guard case .handingOver(visitor, let host) = state else { return nil }
    state = .ended
    return ending(host)
  }
}

/// How an invitation has ended.
package enum InvitationEnding: Hashable, Sendable {
  /// The peer on this host has the keys.
  case used(host: String)
  /// The keys were sent to this host, which has not confirmed them.
  case unconfirmed(host: String)
  /// There were too many wrong codes.
  case wrongCodes
  /// There was a peer with the code, and the keys could not be read then.
  case unreadable(reason: String)
  /// It was closed before it was used.
  case withdrawn
  case expired
}
