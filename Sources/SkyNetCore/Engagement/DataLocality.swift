import DequeModule

/// Which system scanned each sector last, and so may keep the data that the sector's later tasks need.
///
/// A free slot goes to the first task whose data its system may keep, or else to the first one whose data no
/// system keeps, or else to the first of all: no slot waits for data (*data locality*, as in Dean & Ghemawat 2004,
/// MapReduce, 3.4, but without a wait).
struct DataLocality: Sendable {
  /// How many tasks are looked at for a slot.
  static let window = 128

  private var systems: [Int: Incarnation] = [:]
  private var lost: Set<Incarnation> = []

  mutating func scanned(_ sector: Int, by system: Incarnation) { systems[sector] = system }

  /// A system is gone, and what it kept with it.
  mutating func lost(_ system: Incarnation) { lost.insert(system) }

  /// No task of these sectors is left.
  mutating func ended(_ sectors: Range<Int>) {
    for sector in sectors { systems[sector] = nil }
  }

  func choice(of tasks: Deque<TaskRange>, for system: Incarnation) -> TaskID? {
    var unbound: TaskID?
    for task in tasks.lazy.flatMap(\.tasks).prefix(Self.window) {
      guard let keeper = systems[task.sector], !lost.contains(keeper) else {
        unbound = unbound ?? task
        continue
      }
      if keeper == system { return task }
    }
    return unbound
  }
}

extension Deque<TaskRange> {
  /// Removes a task, which is mostly one of the first.
  mutating func remove(_ task: TaskID) {
    guard
      let index = firstIndex(where: { $0.pass == task.pass && $0.sectors.contains(task.sector) })
    else { return }
    let sectors = self[index].sectors
    let rest = TaskRange(pass: task.pass, sectors: task.sector + 1..<sectors.upperBound)
    if task.sector > sectors.lowerBound {
      self[index] = TaskRange(pass: task.pass, sectors: sectors.lowerBound..<task.sector)
      if !rest.sectors.isEmpty { insert(rest, at: index + 1) }
    } else if rest.sectors.isEmpty {
      remove(at: index)
    } else {
      self[index] = rest
    }
  }
}
