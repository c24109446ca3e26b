extension Roster {
  /// Why a system finishes its attempts and gets no new ones.
  package enum Drain: Hashable, Sendable {
    /// It is about to leave, or does not say why.
    case leaving
    /// A client of this name has asked it to. It need not be about to leave.
    case asked(by: String)

    package var client: String? { if case .asked(let client) = self { client } else { nil } }
  }

  /// A system that can be given attempts.
  package struct Member: Hashable, Sendable {
    package let id: Incarnation
    /// The system's name, for people.
    package let name: String
    package let slots: Int
    package let scans: Set<ScanKind>
    package let isLocal: Bool
    /// The place where the system runs; `nil` if that does not matter.
    package let place: Place?
    package internal(set) var drain: Drain?
    package var isDraining: Bool { drain != nil }
    package internal(set) var prefetch = Prefetch()
    var breaker = CircuitBreaker()
    /// The number of attempts that were handed out and have not come back.
    package internal(set) var inFlight = 0
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

    /// Whether the system can be given any attempt at all.
    var isAvailable: Bool { !isDraining && slots > 0 }

    /// Whether the circuit breaker is open: the system failed whatever it was given, or
    /// incarnations at its place die young. While there are other systems, this one then gets
    /// nothing.
    package var isTripped: Bool { breaker.isOpen }

    func room(for priority: SlotRequest.Priority) -> Int {
      if isQuarantined { return 0 }
      if breaker.isHalfOpen { return inFlight == 0 ? 1 : 0 }
      // Sending ahead to the local system hides no network.
      guard !isLocal, priority > .idle else { return freeSlots }
      return freeSlots + prefetch.depth(slots: slots)
    }
  }
}
