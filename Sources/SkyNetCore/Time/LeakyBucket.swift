/// A leaky bucket (Turner 1986, "New directions in communications"): each call pours in the time
/// that it takes, and with each call a fixed amount leaks out.
///
/// So a call that the kernel delays for a moment is forgiven, and calls that are slow each time are
/// not.
package struct LeakyBucket: Sendable {
  /// The time that leaks out with each call, which is the time that a call may take.
  private let leak: Duration
  /// The content of a full bucket. Any more is forgotten.
  private let capacity: Duration
  private var level = Duration.zero
  /// Whether the bucket has been full since it was made.
  package private(set) var hasOverflowed = false

  package init(leak: Duration, capacity: Duration) {
    self.leak = leak
    self.capacity = capacity
  }

  /// The bucket for a node's scans that call themselves brief and run where their calls arrive. It
  /// overflows when they have held up their event loop for a second in all: less than the patience
  /// of any peer, and more than the hiccups of a busy machine.
  package static var briefScans: LeakyBucket {
    LeakyBucket(leak: .milliseconds(1), capacity: .seconds(1))
  }

  /// A call took this long.
  ///
  /// - Returns: whether the bucket is full for the first time.
  @discardableResult package mutating func add(_ duration: Duration) -> Bool {
    level = min(max(.zero, level + duration - leak), capacity)
    guard !hasOverflowed, level >= capacity else { return false }
    hasOverflowed = true
    return true
  }
}
