import Testing

@testable import SkyNetCore

@Suite("The prefetch for a system")
struct PrefetchTests {
  var prefetch = Prefetch()

  @Test("Nothing is sent ahead to an unknown system")
  func unknown() {
    #expect(prefetch.depth(slots: 8) == 0)
  }

  @Test("Enough is sent ahead to keep the slots busy during a handover")
  mutating func handover() {
    prefetch.measured(AttemptTiming(scan: 0.010, queued: 0, turnaround: 0.015))
    #expect(prefetch.depth(slots: 8) == 4)
    #expect(prefetch.depth(slots: 1) == 1, "half an attempt counts as one")
  }

  @Test("Nothing is sent ahead when scans are long")
  mutating func longScans() {
    prefetch.measured(AttemptTiming(scan: 1, queued: 0, turnaround: 1.005))
    #expect(prefetch.depth(slots: 64) == 0)
  }

  @Test("Time in the system's queue does not count as handover")
  mutating func queued() {
    prefetch.measured(AttemptTiming(scan: 0.010, queued: 0.5, turnaround: 0.51))
    #expect(prefetch.depth(slots: 8) == 0)
  }

  @Test("Scans of no length lead to the limit, and never to more")
  mutating func limit() {
    prefetch.measured(AttemptTiming(scan: 0, queued: 0, turnaround: 60))
    #expect(prefetch.depth(slots: 8) == 8 * (Prefetch.mostPerSlot - 1))
    #expect(prefetch.depth(slots: 0) == 0)
  }

  @Test("On a shared system, half as many attempts wait as there are slots")
  func shared() {
    var prefetch = Prefetch()
    prefetch.measured(AttemptTiming(scan: 1, queued: 0, turnaround: 1.005, isShared: true))
    #expect(prefetch.depth(slots: 4) == 2)
    #expect(prefetch.depth(slots: 1) == 1)
    prefetch.measured(AttemptTiming(scan: 1, queued: 0, turnaround: 1.005))
    #expect(prefetch.depth(slots: 4) == 0)
  }

  @Test("The prefetch follows the measurements")
  mutating func follows() {
    prefetch.measured(AttemptTiming(scan: 0.001, queued: 0, turnaround: 0.011))
    let before = prefetch.depth(slots: 4)
    for _ in 0..<50 { prefetch.measured(AttemptTiming(scan: 1, queued: 0, turnaround: 1.005)) }
    #expect(before == 40)
    #expect(prefetch.depth(slots: 4) == 0)
  }

  @Test("A standstill of this side does not increase the prefetch")
  mutating func disturbed() {
    prefetch.measured(AttemptTiming(scan: 1, queued: 0, turnaround: 1.005))
    for _ in 0..<4 {
      prefetch.measured(AttemptTiming(scan: 1, queued: 0, turnaround: 31, isDisturbed: true))
    }
    #expect(prefetch.depth(slots: 4) == 0)
  }

  @Test("Absurd measurements from a peer do no harm")
  mutating func nonsense() {
    let most = Double.greatestFiniteMagnitude
    for scan in [-most, most, .infinity, -.infinity, .nan, 0, -1] {
      for turnaround in [most, -most, .infinity, .nan, 0] {
        prefetch.measured(AttemptTiming(scan: scan, queued: -scan, turnaround: turnaround))
        #expect((0...4 * (Prefetch.mostPerSlot - 1)).contains(prefetch.depth(slots: 4)))
      }
    }
  }
}
