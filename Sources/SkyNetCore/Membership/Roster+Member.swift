extension Roster {
  package struct Member: Hashable, Sendable {
    package let id: Incarnation
    package let name: String
    package let slots: Int
    package let scans: Set<ScanKind>
    package let isLocal: Bool
    /// The place where the system runs; `nil` if that does not matter.
    package let place: Place?
    /// Why the system gets no new attempts, as far as it tells; `nil` if it takes them.
    package internal(set) var drain: DrainReason?
    package var isDraining: Bool { drain != nil }
    package internal(set) var prefetch = Prefetch()
    var breaker = CircuitBreaker()
    /// The number of attempts that were handed out and have not come back.
    package internal(set) var inFlight = 0
    /// The most attempts that the system is given at a time, as it had no room for more; see ``Shortage``.
    var limit = Int.max
    /// Whether the system runs a quarantined attempt, which is to have no neighbours.
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

    var isAvailable: Bool { !isDraining && slots > 0 }

    /// Whether the circuit breaker is open. The system then gets nothing while there are others.
    package var isTripped: Bool { breaker.isOpen }

    func room(for priority: SlotRequest.Priority) -> Int {
      let room = usualRoom(for: priority)
      return limit == .max ? room : min(room, limit - inFlight)
    }

    private func usualRoom(for priority: SlotRequest.Priority) -> Int {
      if isQuarantined { return 0 }
      if breaker.isHalfOpen { return inFlight == 0 ? 1 : 0 }
      // Sending ahead to the local system hides no network.
      guard !isLocal, priority > .idle else { return freeSlots }
      return freeSlots + prefetch.depth(slots: slots)
    }
  }
}
