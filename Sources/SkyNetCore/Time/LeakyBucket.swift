/// A leaky bucket (Turner 1986, "New directions in communications"): what each call takes is poured in, and
/// with each call a fixed amount leaks out.
///
/// So a call that the kernel lets stand for a moment is forgiven, and calls that are slow each time are not.
package struct LeakyBucket: Sendable {
  /// What leaks out with each call: what one may take.
  private let leak: Duration
  /// What is in a full bucket. More is not remembered.
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

  /// The scans of a node that call themselves brief, and run where their calls arrive. They overflow when
  /// they have held up their event loop for a second together: less than any peer's patience, and more than
  /// a busy machine's hiccups.
  package static var briefScans: LeakyBucket {
    LeakyBucket(leak: .milliseconds(1), capacity: .seconds(1))
  }

  /// The calls of a job's own code, of which each may take 50 µs: less than to wake another thread a few
  /// times. The bucket is full at first, and at most half full after 64 calls that took no time.
  package static var jobCode: LeakyBucket {
    let leak = Duration.microseconds(50)
    return LeakyBucket(leak: leak, capacity: leak * 128, isFull: true)
  }

  package var isAtMostHalfFull: Bool { level + level <= capacity }

  /// A call took this long.
  ///
  /// - Returns: whether the bucket is full, and never was before.
  @discardableResult package mutating func add(_ duration: Duration) -> Bool {
    level = min(max(.zero, level + duration - leak), capacity)
    guard !hasOverflowed, level >= capacity else { return false }
    hasOverflowed = true
    return true
  }
}
