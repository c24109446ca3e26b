extension Roster {
  /// A system that can be given attempts.
  package struct Member: Hashable, Sendable {
    package let id: Incarnation
    /// What people call it.
    package let name: String
    package let slots: Int
    package let scans: Set<ScanKind>
    package let isLocal: Bool
    /// Where it runs; `nil` if that does not matter.
    package let place: Place?
    /// It finishes what it has, and is given nothing new.
    package internal(set) var isDraining = false
    package internal(set) var prefetch = Prefetch()
    var breaker = CircuitBreaker()
    /// Attempts that were handed out and did not come back.
    package internal(set) var inFlight = 0
    /// Whether it runs one attempt that is to have no neighbours.
    var isQuarantined = false

    package init(
      id: Incarnation, name: String, slots: Int, scans: [ScanKind], isLocal: Bool,
      place: Place? = nil
    ) {
      self.id = id
      self.name = name
      self.slots = slots
      self.scans = Set(scans)
      self.isLocal = isLocal
      self.place = place
    }

    var freeSlots: Int { slots - inFlight }

    /// Whether it can be given anything at all.
    var isAble: Bool { !isDraining && slots > 0 }

    /// Whether its circuit breaker is open, since it failed whatever it was given, or since incarnations at its
    /// place die young. It is left alone for a while if there are other systems.
    package var isTripped: Bool { breaker.isOpen }

    func room(for priority: SlotRequest.Priority) -> Int {
      if isQuarantined { return 0 }
      if breaker.isHalfOpen { return inFlight == 0 ? 1 : 0 }
      // A local system has no network to hide.
      guard !isLocal, priority > .idle else { return freeSlots }
      return freeSlots + prefetch.depth(slots: slots)
    }
  }
}
