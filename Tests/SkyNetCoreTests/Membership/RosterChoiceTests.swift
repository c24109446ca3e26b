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

@Suite("Which system is given the next attempt")
struct RosterChoiceTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let lyra = TestSystem("lyra")
  let local = TestSystem("local")
  var roster = Roster()

  @Test("The local system comes first, as long as it has room")
  mutating func localFirst() {
    _ = roster.joined(orion.member(slots: 8), at: .at(0))
    _ = roster.joined(local.member(slots: 2, isLocal: true), at: .at(0))
    #expect(roster.ask() == ["local"])
    #expect(roster.ask() == ["local"])
    #expect(roster.ask() == ["orion"])
  }

  @Test("Then the one with the largest share of its slots free")
  mutating func leastLoaded() {
    _ = roster.joined(orion.member(slots: 2), at: .at(0))
    _ = roster.joined(vega.member(slots: 4), at: .at(0))
    let names = roster.ask(for: 6)
    #expect(names.count { $0 == "orion" } == 2)
    #expect(names.count { $0 == "vega" } == 4)
    // At no time is one half busy while the other is idle.
    #expect(Set(names.prefix(3)) == ["orion", "vega"])
  }

  @Test("Slots are never exceeded as long as nothing is known of a system's pace")
  mutating func slotsNotExceeded() {
    _ = roster.joined(orion.member(slots: 3), at: .at(0))
    #expect(roster.ask(for: 10) == ["orion", "orion", "orion"])
    #expect(roster.ask(2) == [])
    #expect(roster.member(orion.id)?.inFlight == 3)
  }

  @Test("A system that failed a task is avoided, as long as there is another, busy or not")
  mutating func avoids() {
    _ = roster.joined(orion.member(slots: 2), at: .at(0))
    _ = roster.joined(vega.member(slots: 1), at: .at(0))
    #expect(roster.ask(avoiding: [orion]) == ["vega"])
    #expect(roster.ask(2, avoiding: [orion]) == [], "it waits rather than go to orion")
    #expect(roster.member(orion.id)?.inFlight == 0)
  }

  @Test("A system that failed a task has it again if there is nobody else")
  mutating func nobodyElse() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    #expect(roster.ask(avoiding: [orion]) == ["orion"])
  }

  @Test("If a task failed everywhere, only the system where it failed last is avoided")
  mutating func failedEverywhere() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    _ = roster.joined(vega.member(slots: 1), at: .at(0))
    #expect(roster.ask(1, avoiding: [orion, vega]) == ["orion"])
    #expect(roster.ask(2, avoiding: [orion, vega]) == [])
  }

  @Test("Systems that are gone do not keep a task from those that are there")
  mutating func avoidsGone() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    #expect(roster.ask(avoiding: [vega, lyra]) == ["orion"])
  }

  @Test("A system is given only the kinds of scan that it can run")
  mutating func kinds() {
    let other = ScanKind(name: "survey", version: 2)
    _ = roster.joined(orion.member(slots: 4, scans: [other]), at: .at(0))
    #expect(roster.ask(1) == [])
    let grants = roster.joined(vega.member(slots: 4), at: .at(0))
    #expect(grants.names(of: 1) == ["vega"])
    #expect(roster.ask(2, kind: other) == ["orion"])
  }

  @Test("A system that drains is given nothing new")
  mutating func draining() {
    _ = roster.joined(orion.member(slots: 4), at: .at(0))
    #expect(roster.ask(1) == ["orion"])
    #expect(roster.draining(orion.id) == [])
    #expect(roster.ask(2) == [])
    #expect(roster.member(orion.id)?.inFlight == 1, "what it has, it finishes")
  }

  @Test("A system without slots is given nothing")
  mutating func noSlots() {
    _ = roster.joined(orion.member(slots: 0), at: .at(0))
    #expect(roster.ask() == [])
  }

  @Test("A system that is here already cannot join again")
  mutating func joinsTwice() {
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    #expect(roster.ask(1) == ["orion"])
    #expect(roster.joined(orion.member(slots: 8), at: .at(0)) == [])
    #expect(roster.members.count == 1)
    #expect(roster.ask(2) == [])
  }
}
