/// The attempts that are in flight, by their numbers.
///
/// With many systems they are too many for the processor's caches, and what an event costs is
/// reading one of them. So they are kept small: of a slot's system, only which one of those that
/// were met it is.
struct FlightTable: Sendable {
  private struct Stored {
    let task: TaskID
    let slot: UInt64
    /// 0 if there is none, as no attempt has that number.
    let rival: Attempt.ID
    let start: Instant
    let system: UInt32
    let ordinal: UInt32
    let isHedge: Bool
    let hasStarted: Bool
    let isWatched: Bool
    let hasStory: Bool
  }

  private struct System {
    let id: Incarnation
    let name: String
  }

  private var table = NumberTable<Stored>()
  private var systems: [System] = []
  private var systemsByID: [Incarnation: UInt32] = [:]

  var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }

  /// From the first that was begun to the last.
  var ids: [Attempt.ID] { table.numbers }

  subscript(id: Attempt.ID) -> Engagement.Flight? {
    get { table[id].map { flight(id, $0) } }
    set { table[id] = newValue.map { stored($0) } }
  }

  mutating func remove(_ id: Attempt.ID) -> Engagement.Flight? {
    table.removeValue(forKey: id).map { flight(id, $0) }
  }

  private func flight(_ id: Attempt.ID, _ stored: Stored) -> Engagement.Flight {
    let system = systems[Int(stored.system)]
    let attempt = Attempt(
      id: id, task: stored.task,
      slot: Slot(number: stored.slot, system: system.id, name: system.name),
      ordinal: Int(stored.ordinal), isHedge: stored.isHedge)
    return Engagement.Flight(
      attempt: attempt, rival: stored.rival == 0 ? nil : stored.rival,
      start: stored.hasStarted ? stored.start : nil, isWatched: stored.isWatched,
      hasStory: stored.hasStory)
  }

  private mutating func stored(_ flight: Engagement.Flight) -> Stored {
    let attempt = flight.attempt
    return Stored(
      task: attempt.task, slot: attempt.slot.number, rival: flight.rival ?? 0,
      start: flight.start ?? Instant(), system: number(of: attempt.slot),
      ordinal: UInt32(clamping: attempt.ordinal), isHedge: attempt.isHedge,
      hasStarted: flight.start != nil, isWatched: flight.isWatched, hasStory: flight.hasStory)
  }

  /// A system that came back under another name is another one here.
  private mutating func number(of slot: Slot) -> UInt32 {
    if let number = systemsByID[slot.system], systems[Int(number)].name == slot.name {
      return number
    }
    let number = UInt32(systems.count)
    systems.append(System(id: slot.system, name: slot.name))
    systemsByID[slot.system] = number
    return number
  }
}
