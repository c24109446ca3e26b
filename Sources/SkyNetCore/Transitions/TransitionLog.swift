/// The latest transitions of a state machine, from which it tells the story of an event that it refuses.
///
/// A ring of entries of a few words each: adding one allocates nothing, once the first has made the ring.
struct TransitionLog<Transition: Sendable & CustomStringConvertible>: Sendable {
  /// How many transitions are kept.
  static var capacity: Int { 512 }
  /// How many transitions a story tells.
  static var storyLength: Int { 16 }

  private var ring: [Transition] = []
  /// Where the oldest entry is, when the ring is full.
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

  /// The latest transitions of one thing, the latest last; those of all things, if it has none.
  func story(where isOfThing: (Transition) -> Bool) -> [String] {
    let all = ring[oldest...] + ring[..<oldest]
    let own = all.filter(isOfThing)
    return (own.isEmpty ? Array(all) : own).suffix(Self.storyLength).map(\.description)
  }
}
