/// The systems that have room, in two priority queues: one of healthy systems, and one of those with
/// an open circuit breaker. In each queue the system with the largest share of its slots free comes
/// first; of equals, the one that joined first.
///
/// The queues are binary heaps that know the position of each system. So a change of one system
/// costs little in a cluster of any size.
struct RoomQueues: Sendable {
  struct Entry {
    let row: Int
    let joined: UInt32
    let slots: Int
    /// Below 0 if the system has more attempts than slots.
    let freeSlots: Int

    func isBefore(_ other: Entry) -> Bool {
      let (share, otherShare) = (freeSlots * other.slots, other.freeSlots * slots)
      return share == otherShare ? joined < other.joined : share > otherShare
    }
  }

  private var queues: [[Entry]] = [[], []]
  /// The positions by the row of the system; `nil` for a system in no queue.
  private var positions: [(queue: Int, index: Int)?] = []

  var isEmpty: Bool { queues[0].isEmpty && queues[1].isEmpty }

  private static func queue(isHealthy: Bool) -> Int { isHealthy ? 0 : 1 }

  /// Puts a system into a queue and out of the other, or moves it within its queue after a change.
  mutating func put(_ entry: Entry, isHealthy: Bool) {
    let queue = Self.queue(isHealthy: isHealthy)
    while positions.count <= entry.row { positions.append(nil) }
    if let position = positions[entry.row] {
      if position.queue == queue { return move(entry, in: queue, from: position.index) }
      remove(entry.row)
    }
    queues[queue].append(entry)
    move(entry, in: queue, from: queues[queue].count - 1)
  }

  mutating func remove(_ row: Int) {
    guard row < positions.count, let position = positions[row] else { return }
    positions[row] = nil
    guard let last = queues[position.queue].popLast(), last.row != row else { return }
    move(last, in: position.queue, from: position.index)
  }

  /// The row of the first system of a queue that is allowed. With `needsFreeSlot`, it must have one.
  func first(
    isHealthy: Bool, needsFreeSlot: Bool, where isAllowed: (_ row: Int) -> Bool
  ) -> Int? {
    var best: Entry?
    search(queues[Self.queue(isHealthy: isHealthy)], from: 0, needsFreeSlot, isAllowed, &best)
    return best?.row
  }

  /// The children of an entry are searched only if the entry is not allowed.
  private func search(
    _ heap: [Entry], from index: Int, _ needsFreeSlot: Bool, _ isAllowed: (_ row: Int) -> Bool,
    _ best: inout Entry?
  ) {
    guard index < heap.count else { return }
    let entry = heap[index]
    if needsFreeSlot, entry.freeSlots <= 0 { return }
    if let best, !entry.isBefore(best) { return }
    guard !isAllowed(entry.row) else {
      best = entry
      return
    }
    search(heap, from: 2 * index + 1, needsFreeSlot, isAllowed, &best)
    search(heap, from: 2 * index + 2, needsFreeSlot, isAllowed, &best)
  }

  /// Moves an entry from this index, whatever is there, to the index where it belongs.
  private mutating func move(_ entry: Entry, in queue: Int, from start: Int) {
    var index = start
    while index > 0, entry.isBefore(queues[queue][(index - 1) / 2]) {
      set(queues[queue][(index - 1) / 2], at: index, in: queue)
      index = (index - 1) / 2
    }
    let count = queues[queue].count
    while index >= start {
      var child = 2 * index + 1
      guard child < count else { break }
      if child + 1 < count, queues[queue][child + 1].isBefore(queues[queue][child]) { child += 1 }
      guard queues[queue][child].isBefore(entry) else { break }
      set(queues[queue][child], at: index, in: queue)
      index = child
    }
    set(entry, at: index, in: queue)
  }

  private mutating func set(_ entry: Entry, at index: Int, in queue: Int) {
    queues[queue][index] = entry
    positions[entry.row] = (queue, index)
  }
}
