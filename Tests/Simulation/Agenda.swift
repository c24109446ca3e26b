import SkyNetCore

/// The scheduled events, ordered by time. Events at the same instant keep the order in which they
/// were added.
struct Agenda<Event> {
  private struct Entry {
    let time: Instant
    let number: Int
    let event: Event

    static func < (a: Entry, b: Entry) -> Bool {
      a.time == b.time ? a.number < b.number : a.time < b.time
    }
  }

  /// A binary heap, the earliest entry first.
  private var heap: [Entry] = []
  private var added = 0

  mutating func add(_ event: Event, at time: Instant) {
    added += 1
    heap.append(Entry(time: time, number: added, event: event))
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func next() -> (time: Instant, event: Event)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return (first.time, first.event) }
    heap[0] = last
    var parent = 0
    while let child = [parent * 2 + 1, parent * 2 + 2].filter({ $0 < heap.count })
      .min(by: { heap[$0] < heap[$1] }), heap[child] < heap[parent]
    {
      heap.swapAt(parent, child)
      parent = child
    }
    return (first.time, first.event)
  }
}
