import SkyNetCore

/// What the endings of the connections to one peer tell together.
struct EndingHistory {
  /// Silent connections in a row are told after so many. One or two may be chance.
  private static let most = 3

  /// What people are told of a link that carries the hellos and nothing longer.
  static let hint = """
    it answers short messages and no long ones: a link on the way may drop large packets without a word, because its \
    MTU is smaller than that of the machines. `ping -M do -s 1400 HOST`, in both directions, shows it; `ip link set dev \
    DEVICE mtu 1280` on both machines works around it
    """

  /// Whether the latest connection has ended with a goodbye.
  private(set) var hasLeft = false
  private var silent: (peer: Incarnation, count: Int)?

  /// A connection has ended. Returns whether people are to be told now that long messages get lost.
  ///
  /// A process that dies of its calls comes back with another incarnation, and does not count.
  mutating func ended(_ ending: ConnectionEnding) -> Bool {
    hasLeft = ending.isInOrder
    guard ending.isUnanswered, let peer = ending.peer?.incarnation else {
      silent = nil
      return false
    }
    let count = silent?.peer == peer ? (silent?.count ?? 0) + 1 : 1
    silent = (peer, count)
    return count == Self.most
  }
}
