import DequeModule

/// Tasks that wait for a time before they are tried again.
struct WaitingTasks: Sendable {
  /// In the order of their ends.
  private var entries: Deque<(task: TaskID, end: Instant)> = []

  var isEmpty: Bool { entries.isEmpty }
  var tasks: [TaskID] { entries.map(\.task) }
  /// When the first wait is over; `nil` if no task waits.
  var next: Instant? { entries.first?.end }

  mutating func add(_ task: TaskID, until end: Instant) {
    var (place, upper) = (entries.startIndex, entries.endIndex)
    while place < upper {
      let middle = (place + upper) / 2
      if entries[middle].end <= end { place = middle + 1 } else { upper = middle }
    }
    entries.insert((task, end), at: place)
  }

  func contains(_ task: TaskID) -> Bool { entries.contains { $0.task == task } }

  /// - Returns: whether the task waited.
  mutating func remove(_ task: TaskID) -> Bool {
    guard let place = entries.firstIndex(where: { $0.task == task }) else { return false }
    entries.remove(at: place)
    return true
  }

  /// Removes and returns a task whose wait is over; `nil` if there is none.
  mutating func removeFirst(at now: Instant) -> TaskID? {
    guard let next, next <= now else { return nil }
    return entries.removeFirst().task
  }
}
