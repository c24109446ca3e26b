/// The attempts that are in flight, by their numbers.
///
/// With many systems they are too many for the processor's caches, and what an event costs is
/// reading one of them. So each takes half a cache line: of its slot's system there is only which one
/// of those that were met it is, and what few have is kept apart.
struct FlightTable: Sendable {
  private struct Stored {
    let sector: Int
    let slot: UInt64
    let system: UInt32
    let pass: UInt8
    let ordinal: UInt8
    let isHedge: Bool
    let marks: Marks
  }

  private struct Marks: OptionSet {
    let rawValue: UInt8

    static let isWatched = Marks(rawValue: 1)
    static let hasStory = Marks(rawValue: 2)
    static let hasMore = Marks(rawValue: 4)
  }

  /// What few have, unless scans have a time limit; the pass and the ordinal for those that are too large for their places above.
  private struct More {
    let rival: Attempt.ID?
    let start: Instant?
    let pass: Int
    let ordinal: Int
  }

  private struct System {
    let id: Incarnation
    let name: String
  }

  private var table = NumberTable<Stored>()
  private var more: [Attempt.ID: More] = [:]
  private var systems: [System] = []
  private var systemsByID: [Incarnation: UInt32] = [:]

  var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }

  /// From the first that was begun to the last.
  var ids: [Attempt.ID] { table.numbers }

  subscript(id: Attempt.ID) -> Engagement.Flight? {
    get { table[id].map { flight(id, $0, $0.marks.contains(.hasMore) ? more[id] : nil) } }
    set {
      if let newValue {
        store(newValue)
      } else {
        _ = remove(id)
      }
    }
  }

  mutating func remove(_ id: Attempt.ID) -> Engagement.Flight? {
    guard let stored = table.removeValue(forKey: id) else { return nil }
    return flight(id, stored, stored.marks.contains(.hasMore) ? more.removeValue(forKey: id) : nil)
  }

  private func flight(
    _ id: Attempt.ID, _ stored: Stored, _ more: More?
  ) -> Engagement.Flight {
    let system = systems[Int(stored.system)]
    let attempt = Attempt(
      id: id, task: TaskID(pass: more?.pass ?? Int(stored.pass), sector: stored.sector),
      slot: Slot(number: stored.slot, system: system.id, name: system.name),
      ordinal: more?.ordinal ?? Int(stored.ordinal), isHedge: stored.isHedge)
    return Engagement.Flight(
      attempt: attempt, rival: more?.rival, start: more?.start,
      isWatched: stored.marks.contains(.isWatched), hasStory: stored.marks.contains(.hasStory))
  }

  private mutating func store(_ flight: Engagement.Flight) {
    let attempt = flight.attempt
    let (pass, ordinal) = (
      UInt8(exactly: attempt.task.pass), UInt8(exactly: attempt.ordinal)
    )
    var marks: Marks = []
    if flight.isWatched { marks.insert(.isWatched) }
    if flight.hasStory { marks.insert(.hasStory) }
    if flight.rival != nil || flight.start != nil || pass == nil || ordinal == nil {
      marks.insert(.hasMore)
      more[attempt.id] = More(
        rival: flight.rival, start: flight.start, pass: attempt.task.pass, ordinal: attempt.ordinal)
    } else if table[attempt.id]?.marks.contains(.hasMore) == true {
      more[attempt.id] = nil
    }
    table[attempt.id] = Stored(
      sector: attempt.task.sector, slot: attempt.slot.number, system: number(of: attempt.slot),
      pass: pass ?? 0, ordinal: ordinal ?? 0, isHedge: attempt.isHedge, marks: marks)
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
