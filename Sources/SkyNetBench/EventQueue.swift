import HeapModule
import SkyNetCore

/// Future events, ordered by time. Events with the same time come in the order in which they were
/// added.
struct EventQueue<Event> {
  private struct Entry: Comparable {
    let time: Instant
    let number: Int
    let event: Event

    static func < (a: Entry, b: Entry) -> Bool { (a.time, a.number) < (b.time, b.number) }
    static func == (a: Entry, b: Entry) -> Bool { a.number == b.number }
  }

  private var entries = Heap<Entry>()
  private var added = 0

  mutating func add(_ event: Event, at time: Instant) {
    added += 1
    entries.insert(Entry(time: time, number: added, event: event))
  }

  mutating func next() -> (time: Instant, event: Event)? {
    entries.popMin().map { ($0.time, $0.event) }
  }
}
