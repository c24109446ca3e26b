import Testing

@testable import SkyNetCore

@Suite("Waiting for slots")
struct RosterWaitingTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  var roster = Roster()

  @Test("A request waits until a system joins, and then gets all its room at once")
  mutating func waitsForSystem() {
    #expect(roster.ask(1, for: 5) == [])
    let grants = roster.joined(orion.member(slots: 3), at: .at(0))
    #expect(grants.names(of: 1) == ["orion", "orion", "orion"])
    #expect(roster.joined(vega.member(slots: 3), at: .at(0)) == [], "a request is granted once")
  }

  @Test("A freed slot goes to the request that has waited longest")
  mutating func inOrder() throws {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    let slot = try roster.take(1)
    #expect(roster.ask(2) == [])
    #expect(roster.ask(3) == [])
    let grants = try roster.released(slot, at: .at(0))
    #expect(grants.map(\.request) == [2])
  }

  @Test("Urgent requests go first, in their own order")
  mutating func urgent() {
    #expect(roster.ask(1) == [])
    #expect(roster.ask(2, .urgent) == [])
    #expect(roster.ask(3) == [])
    #expect(roster.ask(4, .urgent) == [])
    #expect(roster.joined(orion.member(slots: 4), at: .at(0)).map(\.request) == [2, 4, 1, 3])
  }

  @Test("A request that cannot be granted yet does not hold up later ones")
  mutating func holdsUpNobody() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    let other = ScanKind(name: "other", version: 1)
    #expect(roster.ask(1, kind: other, .urgent) == [])
    #expect(roster.ask(2) == ["orion"])
  }

  @Test("A withdrawn request is not granted")
  mutating func withdraws() {
    #expect(roster.ask(1) == [])
    #expect(roster.ask(2) == [])
    roster.withdrew(1)
    roster.withdrew(99)
    #expect(roster.joined(orion.member(slots: 2), at: .at(0)).map(\.request) == [2])
  }

  @Test("When the only other system leaves, a request accepts the one that it avoided")
  mutating func othersLeave() throws {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    _ = roster.joined(vega.member(slots: 1), at: .at(0))
    #expect(roster.ask(1, avoiding: [orion]) == ["vega"])
    #expect(roster.ask(2, avoiding: [orion]) == [])
    #expect(roster.left(vega.id, at: .at(0)).names(of: 2) == ["orion"])
  }

  @Test("When the only other system drains, a request accepts the one that it avoided")
  mutating func othersDrain() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    _ = roster.joined(vega.member(slots: 1), at: .at(0))
    #expect(roster.ask(1, avoiding: [orion]) == ["vega"])
    #expect(roster.ask(2, avoiding: [orion]) == [])
    #expect(roster.draining(vega.id).names(of: 2) == ["orion"])
  }
}

@Suite("Releasing slots")
struct RosterReleaseTests {
  let orion = TestSystem("orion")
  var roster = Roster()

  @Test("A slot that is released twice is refused with its story, and frees nothing")
  mutating func onlyOnce() throws {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    let slot = try roster.take(1)
    #expect(try roster.released(slot, at: .at(0)) == [])
    #expect(roster.ask(2) == ["orion"])
    #expect(roster.ask(3) == [])
    let refused = #expect(throws: IllegalEvent.self) { try roster.released(slot, at: .at(0)) }
    #expect(refused?.event == "slot 1 on orion is released")
    #expect(refused?.story == ["slot 1: granted", "slot 1: released"])
    #expect(roster.member(orion.id)?.inFlight == 1)
  }

  @Test("A slot that was never granted is refused")
  mutating func neverGranted() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    #expect(throws: IllegalEvent.self) { try roster.released(orion.slot(7), at: .at(0)) }
  }

  @Test("Releasing a slot of a departed system changes nothing")
  mutating func systemGone() throws {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    let slot = try roster.take(1)
    #expect(roster.left(orion.id, at: .at(0)) == [])
    #expect(roster.members.isEmpty)
    #expect(try roster.released(slot, at: .at(0)) == [])
  }

  @Test("A slot from before a system's return does not count as one of its new slots")
  mutating func systemCameBack() throws {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    let old = try roster.take(1)
    _ = roster.left(orion.id, at: .at(0))
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    #expect(roster.ask(2) == ["orion"])
    #expect(try roster.released(old, at: .at(0)) == [])
    #expect(roster.member(orion.id)?.inFlight == 1)
  }

  @Test("A slot that is released twice is measured once")
  mutating func measuredOnce() throws {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    let slot = try roster.take(1)
    let long = AttemptTiming(scan: 10, queued: 0, turnaround: 10)
    let short = AttemptTiming(scan: 0, queued: 0, turnaround: 1)
    _ = try roster.released(slot, .succeeded(long), at: .at(0))
    #expect(throws: IllegalEvent.self) {
      try roster.released(slot, .succeeded(short), at: .at(0))
    }
    #expect(roster.ask(2, for: 10) == ["orion"])
  }

  @Test("Short scans give a remote system more attempts than slots, and a local one no more")
  mutating func prefetch() throws {
    let local = TestSystem("local")
    let short = AttemptTiming(scan: 0.001, queued: 0, turnaround: 0.003)
    _ = roster.joined(orion.member(slots: 2), at: .at(0))
    _ = try roster.released(roster.take(1), .succeeded(short), at: .at(0))
    #expect(roster.ask(2, for: 100).count == 6, "2 slots, and 2 × 2 ms ÷ 1 ms in transit")
    _ = roster.joined(local.member(slots: 2, isLocal: true), at: .at(0))
    _ = try roster.released(roster.take(3), .succeeded(short), at: .at(0))
    #expect(roster.ask(4, for: 100) == ["local", "local"])
  }
}
