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
        guard let entry = entries[id], case .waiting = entry.stage, maySteal(entry.attempt)
        else { continue }
        ended(id)
        removeStaleWaiting(of: holder)
        return entry.attempt
      }
      passedOver.insert(holder)
    }
    return nil
  }

  private func longestQueue(except systems: Set<Incarnation>) -> Incarnation? {
    var longest: (count: Int, holder: Incarnation)?
    for (holder, content) in holders where content.waitingCount > 0 && !systems.contains(holder) {
      if let longest, (content.waitingCount, longest.holder) < (longest.count, holder) { continue }
      longest = (content.waitingCount, holder)
    }
    return longest?.holder
  }

  private mutating func takeStraggling(for system: Incarnation) -> Attempt? {
    while let first = straggling.first, !isStraggling(first) { straggling.removeFirst() }
    for id in straggling where isStraggling(id) {
      guard let attempt = entries[id]?.attempt, attempt.slot.system != system else { continue }
      ended(id)
      return attempt
    }
    return nil
  }

  private func isStraggling(_ id: Attempt.ID) -> Bool {
    if case .straggling = entries[id]?.stage { true } else { false }
  }

  /// Removes attempts that no longer wait from the end of a system's queue.
  private mutating func removeStaleWaiting(of holder: Incarnation) {
    while let last = holders[holder]?.waiting.last {
      if let entry = entries[last], case .waiting = entry.stage { return }
      holders[holder]?.waiting.removeLast()
    }
  }
}
