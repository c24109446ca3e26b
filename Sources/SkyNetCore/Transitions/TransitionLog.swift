/// The latest transitions of a state machine. The error for a refused event tells its story from
/// them.
///
/// A ring of entries of a few words each. Adding one allocates nothing once the first has made the
/// ring.
struct TransitionLog<Transition: Sendable & CustomStringConvertible>: Sendable {
  /// The number of transitions that are kept.
  static var capacity: Int { 512 }
  /// The most transitions in one story.
  static var storyLength: Int { 16 }

  private var ring: [Transition] = []
  /// The index of the oldest entry, once the ring is full.
  private var oldest = 0

  mutating func add(_ transition: Transition) {
    guard ring.count == Self.capacity else {
      if ring.isEmpty { ring.reserveCapacity(Self.capacity) }
      ring.append(transition)
      return
    }
    ring[oldest] = transition
    oldest = (oldest + 1) % Self.capacity
  }

  /// The latest transitions of one thing, the latest last. If it has none, those of all things.
  func story(where isOfThing: (Transition) -> Bool) -> [String] {
    let all = ring[oldest...] + ring[..<oldest]
    let own = all.filter(isOfThing)
    return (own.isEmpty ? Array(all) : own).suffix(Self.storyLength).map(\.description)
  }
}
