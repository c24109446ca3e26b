/// The latest transitions of a state machine's tasks, slots or calls, in a ring. The error for a
/// refused event tells its story from them.
struct TransitionLog<Subject: Hashable & Sendable, Step: Sendable>: Sendable {
  private struct Transition {
    let subject: Subject
    /// The key of the attempt at the subject; 0 if no particular one is concerned.
    let attempt: UInt64
    let step: Step
  }

  static var capacity: Int { 512 }
  static var storyLength: Int { 16 }

  private var ring: [Transition] = []
  /// The index of the oldest entry, once the ring is full.
  private var oldest = 0

  mutating func add(_ subject: Subject, attempt: UInt64 = 0, _ step: Step) {
    let transition = Transition(subject: subject, attempt: attempt, step: step)
    guard ring.count == Self.capacity else {
      if ring.isEmpty { ring.reserveCapacity(Self.capacity) }
      ring.append(transition)
      return
    }
    ring[oldest] = transition
    oldest = (oldest + 1) % Self.capacity
  }

  /// The latest transitions of one subject, the latest last. If it has none, those of all.
  func story(of subject: Subject?, naming name: (Subject) -> String) -> [String] {
    let all = ring[oldest...] + ring[..<oldest]
    let own = all.filter { $0.subject == subject }
    return (own.isEmpty ? Array(all) : own).suffix(Self.storyLength).map { transition in
      let attempt =
        transition.attempt == 0 ? "" : "attempt \(SlotMapKeys.ordinal(of: transition.attempt)) "
      return "\(name(transition.subject)): \(attempt)\(transition.step)"
    }
  }
}
