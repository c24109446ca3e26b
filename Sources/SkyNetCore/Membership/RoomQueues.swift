/// The systems that have room, in several priority queues. In each queue the system with the
/// largest share of its slots free comes first; of equals, the one that joined first.
///
/// The queues are binary heaps that know the position of each system. So a change of one system
/// costs little in a cluster of any size.
struct RoomQueues: Sendable {
  /// A system that has room.
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

  private struct Position {
    var queue: Int
    var index: Int
  }

  private var queues: [[Entry]] = []
  /// The positions by the row of the system; `nil` for a system in no queue.
  private var positions: [Position?] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// Puts a system into a queue and out of any other, or moves it within its queue after a change.
  mutating func put(_ entry: Entry, into queue: Int) {
    while queues.count <= queue { queues.append([]) }
    while positions.count <= entry.row { positions.append(nil) }
    if let position = positions[entry.row] {
      if position.queue == queue { return move(entry, in: queue, from: position.index) }
      remove(entry.row)
    }
    count += 1
    queues[queue].append(entry)
    move(entry, in: queue, from: queues[queue].count - 1)
  }

  mutating func remove(_ row: Int) {
    guard row < positions.count, let position = positions[row] else { return }
    positions[row] = nil
    count -= 1
    guard let last = queues[position.queue].popLast(), last.row != row else { return }
    move(last, in: position.queue, from: position.index)
  }

  /// The first system of a queue that is allowed. With `needsFreeSlot`, it must have one.
  func first(of queue: Int, needsFreeSlot: Bool, where isAllowed: (_ row: Int) -> Bool) -> Entry? {
    guard queue < queues.count else { return nil }
    var best: Entry?
    search(queues[queue], from: 0, needsFreeSlot, isAllowed, &best)
    return best
  }

  /// Searches a heap. The children of an entry are searched only if the entry is not allowed.
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
    positions[entry.row] = Position(queue: queue, index: index)
  }
}
