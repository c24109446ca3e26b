/// How a node or an engagement reaches its peers, and which peers it trusts.
///
/// `Transport.tcp(_:)` of SkyNetTransport is the cluster's own network. For tests, SkyNetTestKit's
/// `InMemoryNetwork` makes transports that stay inside the process.
public struct Transport: Sendable {
  package let peers: any PeerTransport

  package init(_ peers: any PeerTransport) { self.peers = peers }
}

/// A failure of the network, as opposed to a peer that breaks the protocol.
public struct TransportError: Error, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: Hashable, Sendable {
    /// No connection to the peer could be made.
    case cannotConnect
    /// The address or port cannot be listened on, such as one that another process has.
    case cannotListen
    /// A listener cannot accept connections at the moment, as the table of descriptors or the memory is full.
    case cannotAccept
    /// The connection broke, in its handshake or later.
    case connectionLost
    /// The two sides do not trust each other: their keys or certificates differ, or one of them does not
    /// encrypt.
    case refused
  }

  /// What kind of failure it is.
  public let code: Code
  /// What failed, and why, for people.
  public let message: String
  /// The error that led to this one; `nil` if there is none.
  public let cause: (any Error)?

  /// Makes an error, by default without a cause.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}
