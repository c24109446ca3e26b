import SkyNetCore

/// What is to happen, by time; what is due at the same instant keeps the order it was added in.
struct Agenda<Event> {
  private struct Entry {
    let time: Instant
    let number: Int
    let event: Event

    func isBefore(_ other: Entry) -> Bool {
      time == other.time ? number < other.number : time < other.time
    }
  }

  /// A binary heap, the earliest entry first.
  private var heap: [Entry] = []
  private var added = 0

  mutating func add(_ event: Event, at time: Instant) {
    added += 1
    heap.append(Entry(time: time, number: added, event: event))
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func next() -> (time: Instant, event: Event)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return (first.time, first.event) }
    heap[0] = last
    var parent = 0
    while true {
      var child = parent * 2 + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(heap[parent]) else { break }
      heap.swapAt(parent, child)
      parent = child
    }
    return (first.time, first.event)
  }
}
