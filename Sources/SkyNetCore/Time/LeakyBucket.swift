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
  private var level: Duration
  /// Whether the bucket has been full since it was made.
  package private(set) var hasOverflowed: Bool

  package init(leak: Duration, capacity: Duration, isFull: Bool = false) {
    self.leak = leak
    self.capacity = capacity
    level = isFull ? capacity : .zero
    hasOverflowed = isFull
  }

  /// The bucket for a node's scans that call themselves brief and run where their calls arrive. It
  /// overflows when they have held up their event loop for a second in all: less than the patience
  /// of any peer, and more than the hiccups of a busy machine.
  package static var briefScans: LeakyBucket {
    LeakyBucket(leak: .milliseconds(1), capacity: .seconds(1))
  }

  /// The bucket for calls of a job's own code, each of which may take 50 µs: less than waking
  /// another thread a few times. The bucket is full at first, and at most half full after 64 calls
  /// that took no time.
  package static var jobCode: LeakyBucket {
    let leak = Duration.microseconds(50)
    return LeakyBucket(leak: leak, capacity: leak * 128, isFull: true)
  }

  package var isAtMostHalfFull: Bool { level + level <= capacity }

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
