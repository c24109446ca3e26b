extension Roster {
  /// A system that can be given attempts.
  public struct Member: Hashable, Sendable {
    public let id: Incarnation
    /// The system's name, for people.
    public let name: String
    public let slots: Int
    public let scans: Set<ScanKind>
    public let isLocal: Bool
    /// The place where the system runs; `nil` if that does not matter.
    public let place: Place?
    /// Whether the system finishes its attempts and gets no new ones.
    public internal(set) var isDraining = false
    public internal(set) var prefetch = Prefetch()
    var breaker = CircuitBreaker()
    /// The number of attempts that were handed out and have not come back.
    public internal(set) var inFlight = 0
    /// Whether the system runs a quarantined attempt, which is to have no neighbours.
    var isQuarantined = false

    public init(
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
    public var isTripped: Bool { breaker.isOpen }

    func room(for priority: SlotRequest.Priority) -> Int {
      if isQuarantined { return 0 }
      if breaker.isHalfOpen { return inFlight == 0 ? 1 : 0 }
      // Sending ahead to the local system hides no network.
      guard !isLocal, priority > .idle else { return freeSlots }
      return freeSlots + prefetch.depth(slots: slots)
    }
  }
}
