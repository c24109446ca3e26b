/// The limits of the cost of a connection whose peer has not authenticated itself, that is, not shown that it
/// is a member of the cluster.
package struct UnauthenticatedLimits: Hashable, Sendable {
  /// How many unauthenticated connections a listener keeps at a time. One more ends the oldest.
  package var connections: Int
  /// How many bytes each of them may send.
  package var bytes: Int
  /// How long each of them may take.
  package var handshakeTimeout: Duration

  /// 5 s: a handshake of two round trips takes no longer, even on a bad line.
  package static let minimumHandshakeTimeout = Duration.seconds(5)

  /// - Parameters:
  ///   - connections: how many unauthenticated connections a listener keeps at a time. With more of them a
  ///     flood costs more memory; with fewer a flood leaves members less time to authenticate themselves.
  ///   - bytes: how many bytes each of them may send. A handshake with certificates takes some KiB.
  ///   - handshakeTimeout: how long each of them may take.
  package init(
    connections: Int = 256, bytes: Int = 64 * 1024,
    handshakeTimeout: Duration = minimumHandshakeTimeout
  ) {
    self.connections = connections
    self.bytes = bytes
    self.handshakeTimeout = handshakeTimeout
  }

  /// The limits of a node that takes a silent peer for gone after `peerTimeout`: a handshake may take as
  /// long as that, and ``minimumHandshakeTimeout`` at least.
  ///
  /// A longer timeout leaves the number of unauthenticated connections as it is: one too many ends the
  /// oldest, whatever time that one has left.
  package init(peerTimeout: Duration) {
    self.init(handshakeTimeout: max(peerTimeout, Self.minimumHandshakeTimeout))
  }
}
