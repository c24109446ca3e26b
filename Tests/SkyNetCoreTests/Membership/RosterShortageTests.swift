import Testing

@testable import SkyNetCore

@Suite("Systems that have no room for a scan")
struct RosterShortageTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  var roster = Roster()

  private mutating func take(_ count: Int, id: UInt64 = 1) -> [Slot] {
    let request = SlotRequest(id: id, kind: .survey, count: count)
    return roster.requested(request).flatMap(\.slots)
  }

  @Test(
    "A system gets as many attempts as found room there, and again more when their number may rise")
  mutating func lowered() throws {
    _ = roster.joined(orion.member(slots: 8), at: .at(0))
    let slots = take(8)
    try #require(slots.count == 8)
    // Five of eight find no room.
    for slot in slots.prefix(5) { #expect(try roster.released(slot, .full, at: .at(1)) == []) }
    for number in 2...10 as ClosedRange<UInt64> {
      #expect(take(1, id: number) == [], "three run")
    }
    #expect(try roster.released(slots[5], at: .at(1)).flatMap(\.slots).count == 1)
    let rest = try #require(roster.nextWake)
    #expect(rest == .at(1) + .milliseconds(100))
    var granted = roster.woke(at: rest).flatMap(\.slots)
    #expect(granted.count == 1, "one more is tried")
    while let wake = roster.nextWake { granted += roster.woke(at: wake).flatMap(\.slots) }
    #expect(granted.count == 5, "all slots are in use again")
  }

  @Test(
    "A system on which nothing runs is asked with one attempt after rests that double, up to ten seconds"
  )
  mutating func rests() throws {
    _ = roster.joined(orion.member(slots: 4), at: .at(0))
    var now = Instant.at(1)
    var slot = try #require(take(1).first)
    var rests: [Duration] = []
    for number in 2...11 as ClosedRange<UInt64> {
      #expect(try roster.released(slot, .full, at: now) == [])
      #expect(take(1, id: number) == [])
      let wake = try #require(roster.nextWake)
      rests.append(now.duration(to: wake))
      now = wake
      let granted = roster.woke(at: now).flatMap(\.slots)
      try #require(granted.count == 1)
      slot = granted[0]
    }
    #expect(rests.prefix(3) == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
    #expect(rests.last == .seconds(10))
  }

  @Test(
    "Another system gets what this one has no room for, and one that has left leaves nothing behind"
  )
  mutating func others() throws {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    let slot = try #require(take(1).first)
    _ = try roster.released(slot, .full, at: .at(1))
    #expect(take(1, id: 2) == [])
    #expect(roster.joined(vega.member(slots: 1), at: .at(1)).names(of: 2) == ["vega"])
    _ = roster.left(orion.id, at: .at(1))
    #expect(roster.nextWake == nil)
    _ = roster.joined(orion.member(slots: 1), at: .at(2))
    #expect(take(1, id: 3).map(\.system) == [orion.id])
  }

  @Test("Attempts that wait on a system for a slot do not count as those that found room")
  mutating func ahead() throws {
    _ = roster.joined(orion.member(slots: 2), at: .at(0))
    let timing = AttemptTiming(scan: 0.001, queued: 0, turnaround: 0.101)
    for number in 1...20 as ClosedRange<UInt64> {
      _ = try roster.released(
        try #require(take(1, id: number).first), .succeeded(timing), at: .at(0))
    }
    let slots = take(20, id: 30)
    try #require(slots.count == 20)
    _ = try roster.released(slots[0], .full, at: .at(1))
    for slot in slots.dropFirst().prefix(18) { _ = try roster.released(slot, at: .at(1)) }
    #expect(take(1, id: 31) == [], "one of two slots is in use, and there is no room for two")
  }
}
