import DequeModule

/// How an idle slot is matched to the attempt that it helps most.
extension Stragglers {
  enum Candidate: Hashable, Sendable {
    case steal(Attempt)
    case hedge(Attempt)
  }

  /// Systems whose idle slots help no attempt: those that can take no candidate, and the holder of
  /// all candidates if there is only one. `nil` if there is no candidate.
  var unhelpfulSystems: [Incarnation]? {
    guard let holder = holders.keys.first else { return nil }
    return (holders.count == 1 ? unsuitable.union([holder]) : unsuitable).sorted()
  }

  /// Removes and returns the attempt that gains most from an idle slot on this system: the last one
  /// in the longest queue, or else the one that has straggled longest.
  mutating func take(
    for system: Incarnation, where maySteal: (Attempt) -> Bool
  ) -> Candidate? {
    if let stolen = takeWaiting(for: system, where: maySteal) { return .steal(stolen) }
    if let hedged = takeStraggling(for: system) { return .hedge(hedged) }
    unsuitable.insert(system)
    return nil
  }

  private mutating func takeWaiting(
    for system: Incarnation, where maySteal: (Attempt) -> Bool
  ) -> Attempt? {
    var passedOver: Set = [system]
    while let holder = longestQueue(except: passedOver) {
      for id in (holders[holder]?.waiting ?? []).reversed() {
        guard let entry = entries[id], entry.stage == .waiting, maySteal(entry.attempt)
        else { continue }
        ended(id)
        // Attempts that no longer wait are removed from the end of the queue.
        while let last = holders[holder]?.waiting.last, entries[last]?.stage != .waiting {
          holders[holder]?.waiting.removeLast()
        }
        return entry.attempt
      }
      passedOver.insert(holder)
    }
    return nil
  }

  private func longestQueue(except systems: Set<Incarnation>) -> Incarnation? {
    holders.lazy.filter { $0.value.waitingCount > 0 && !systems.contains($0.key) }
      .max { ($0.value.waitingCount, $1.key) < ($1.value.waitingCount, $0.key) }?.key
  }

  private mutating func takeStraggling(for system: Incarnation) -> Attempt? {
    while let first = straggling.first, entries[first]?.stage != .straggling {
      straggling.removeFirst()
    }
    for id in straggling {
      guard let entry = entries[id], entry.stage == .straggling,
        entry.attempt.slot.system != system
      else { continue }
      ended(id)
      return entry.attempt
    }
    return nil
  }
}
