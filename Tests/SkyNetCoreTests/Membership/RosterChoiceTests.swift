import Testing

@testable import SkyNetCore

extension Roster {
  /// Asks for slots and returns the names of the systems that they were granted on at once.
  mutating func ask(
    _ id: UInt64 = 1, for count: Int = 1, kind: ScanKind = .survey, avoiding: [TestSystem] = [],
    _ priority: SlotRequest.Priority = .normal
  ) -> [String] {
    requested(
      SlotRequest(
        id: id, kind: kind, count: count, avoiding: avoiding.map(\.id),
        priority: priority)
    )
    .names(of: id)
  }

  /// Asks for one slot that must be there.
  mutating func take(_ id: UInt64 = 1) throws -> Slot {
    let grants = requested(SlotRequest(id: id, kind: .survey))
    return try #require(grants.first?.slots.first)
  }
}

extension [Roster.Grant] {
  func names(of request: UInt64) -> [String] {
    filter { $0.request == request }.flatMap(\.slots).map(\.name)
  }
}

@Suite("The roster's choice of a system")
struct RosterChoiceTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let lyra = TestSystem("lyra")
  let local = TestSystem("local")
  var roster = Roster()

  @Test("The local system comes first while it has room")
  mutating func localFirst() {
    _ = roster.joined(orion.member(slots: 8), at: .at(0))
    _ = roster.joined(local.member(slots: 2, isLocal: true), at: .at(0))
    #expect(roster.ask() == ["local"])
    #expect(roster.ask() == ["local"])
    #expect(roster.ask() == ["orion"])
  }

  @Test("The remote system with the largest free share of its slots comes next")
  mutating func leastLoaded() {
    _ = roster.joined(orion.member(slots: 2), at: .at(0))
    _ = roster.joined(vega.member(slots: 4), at: .at(0))
    let names = roster.ask(for: 6)
    #expect(names.count { $0 == "orion" } == 2)
    #expect(names.count { $0 == "vega" } == 4)
    // Neither system fills up while the other is idle.
    #expect(Set(names.prefix(3)) == ["orion", "vega"])
  }

  @Test("A system gets no more attempts than slots while its speed is unknown")
  mutating func slotsNotExceeded() {
    _ = roster.joined(orion.member(slots: 3), at: .at(0))
    #expect(roster.ask(for: 10) == ["orion", "orion", "orion"])
    #expect(roster.ask(2) == [])
    #expect(roster.member(orion.id)?.inFlight == 3)
  }

  @Test("A system that failed a task is avoided while there is another, even a busy one")
  mutating func avoids() {
    _ = roster.joined(orion.member(slots: 2), at: .at(0))
    _ = roster.joined(vega.member(slots: 1), at: .at(0))
    #expect(roster.ask(avoiding: [orion]) == ["vega"])
    #expect(roster.ask(2, avoiding: [orion]) == [], "the request waits rather than go to orion")
    #expect(roster.member(orion.id)?.inFlight == 0)
  }

  @Test("A system that failed a task gets it again if there is no other")
  mutating func nobodyElse() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    #expect(roster.ask(avoiding: [orion]) == ["orion"])
  }

  @Test("If a task failed on all systems, only the last of them is avoided")
  mutating func failedEverywhere() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    _ = roster.joined(vega.member(slots: 1), at: .at(0))
    #expect(roster.ask(1, avoiding: [orion, vega]) == ["orion"])
    #expect(roster.ask(2, avoiding: [orion, vega]) == [])
  }

  @Test("A task that failed on departed systems goes to a present one")
  mutating func avoidsGone() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    #expect(roster.ask(avoiding: [vega, lyra]) == ["orion"])
  }

  @Test("A system gets only the kinds of scan that it can run")
  mutating func kinds() {
    let other = ScanKind(name: "survey", version: 2)
    _ = roster.joined(orion.member(slots: 4, scans: [other]), at: .at(0))
    #expect(roster.ask(1) == [])
    let grants = roster.joined(vega.member(slots: 4), at: .at(0))
    #expect(grants.names(of: 1) == ["vega"])
    #expect(roster.ask(2, kind: other) == ["orion"])
  }

  @Test("A draining system gets nothing new")
  mutating func draining() {
    _ = roster.joined(orion.member(slots: 4), at: .at(0))
    #expect(roster.ask(1) == ["orion"])
    #expect(roster.draining(orion.id) == [])
    #expect(roster.ask(2) == [])
    #expect(roster.member(orion.id)?.inFlight == 1, "orion finishes its attempt")
  }

  @Test("A system without slots gets nothing")
  mutating func noSlots() {
    _ = roster.joined(orion.member(slots: 0), at: .at(0))
    #expect(roster.ask() == [])
  }

  @Test("A connected system cannot join again")
  mutating func joinsTwice() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    #expect(roster.ask(1) == ["orion"])
    #expect(roster.joined(orion.member(slots: 8), at: .at(0)) == [])
    #expect(roster.members.count == 1)
    #expect(roster.ask(2) == [])
  }
}
