/// Notices when a node's scans that call themselves brief, and run where their calls arrive, have held
/// up their event loop for a second in all: less than the patience of any peer, and more than the
/// hiccups of a busy machine.
///
/// A leaky bucket (Turner 1986, "New directions in communications"): each call pours in the time that
/// it takes, and a millisecond leaks out. So a call that the kernel delays for a moment is forgiven,
/// and calls that are slow each time are not.
package struct LeakyBucket: Sendable {
  private static let leak = Duration.milliseconds(1)
  private static let capacity = Duration.seconds(1)

  private var level = Duration.zero
  /// Whether the bucket has been full since it was made.
  package private(set) var hasOverflowed = false

  package init() {}

  /// A call took this long.
  ///
  /// - Returns: whether the bucket is full for the first time.
  package mutating func add(_ duration: Duration) -> Bool {
    level = min(max(.zero, level + duration - Self.leak), Self.capacity)
    guard !hasOverflowed, level >= Self.capacity else { return false }
    hasOverflowed = true
    return true
  }
}
