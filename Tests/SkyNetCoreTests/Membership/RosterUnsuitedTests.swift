import Testing

@testable import SkyNetCore

@Suite("Systems that are unsuited for a run")
struct RosterUnsuitedTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let lyra = TestSystem("lyra")
  let local = TestSystem("local")
  let run = RunID(number: 1)
  let other = RunID(number: 2)
  var roster = Roster()

  /// Asks for one slot of a run.
  private mutating func ask(
    _ id: UInt64 = 1, of run: RunID? = nil, avoiding: [TestSystem] = [],
    _ priority: SlotRequest.Priority = .normal, _ caution: SlotRequest.Caution = .none
  ) -> [String] {
    roster.requested(
      SlotRequest(
        id: id, kind: .survey, run: run ?? self.run, avoiding: avoiding.map(\.id),
        priority: priority, caution: caution)
    ).names(of: id)
  }

  private mutating func joins(_ system: TestSystem, slots: Int = 8, isLocal: Bool = false) {
    _ = roster.joined(system.member(slots: slots, isLocal: isLocal), at: .at(0))
  }

  @Test(
    "A system gets nothing of a run that it is unsuited for, and others do",
    arguments: [SlotRequest.Priority.idle, .normal, .urgent],
    [SlotRequest.Caution.none, .sparesLocal, .quarantine, .remoteQuarantine])
  mutating func others(_ priority: SlotRequest.Priority, _ caution: SlotRequest.Caution) {
    joins(orion)
    #expect(roster.foundUnsuited(orion.id, for: run) == [])
    #expect(roster.isUnsuited(orion.id, for: run) && !roster.isUnsuited(orion.id, for: other))
    #expect(ask(1, priority, caution) == [])
    roster.withdrew(1)
    joins(vega)
    #expect(ask(2, priority, caution) == ["vega"])
    #expect(roster.member(orion.id)?.inFlight == 0)
  }

  @Test("Other runs, and requests of no run, get its slots")
  mutating func otherRuns() {
    joins(orion)
    _ = roster.foundUnsuited(orion.id, for: run)
    #expect(ask(1, of: other) == ["orion"])
    #expect(roster.ask(2) == ["orion"])
  }

  @Test("A request that waits is not granted there, and holds up nobody")
  mutating func waits() throws {
    joins(orion, slots: 1)
    let slot = try roster.take(1)
    #expect(ask(2, .urgent) == [])
    #expect(ask(3, of: other) == [])
    #expect(roster.foundUnsuited(orion.id, for: run) == [])
    #expect(try roster.released(slot, at: .at(1)).map(\.request) == [3])
    #expect(roster.joined(vega.member(slots: 1), at: .at(1)).names(of: 2) == ["vega"])
  }

  @Test("A request that avoided another system in favour of this one now accepts that one")
  mutating func acceptsAvoided() {
    joins(orion, slots: 1)
    joins(vega)
    #expect(ask(1, avoiding: [vega]) == ["orion"])
    #expect(ask(2, avoiding: [vega]) == [])
    #expect(roster.foundUnsuited(orion.id, for: run).names(of: 2) == ["vega"])
    #expect(ask(3, avoiding: [orion, vega]) == ["vega"], "it is the only one")
  }

  @Test("Of the systems that a request avoids, an unsuited one is not the other one")
  mutating func avoidsLast() {
    joins(orion)
    joins(vega)
    joins(lyra)
    _ = roster.foundUnsuited(orion.id, for: run)
    #expect(ask(1, avoiding: [orion, vega, lyra]) == ["vega"])
    #expect(ask(2, avoiding: [vega]) == ["lyra"])
    #expect(ask(3, avoiding: [vega, lyra], .idle) == [])
  }

  @Test("A system with an open circuit breaker is used if all healthy ones are unsuited")
  mutating func openBreaker() throws {
    joins(orion, slots: 5)
    joins(vega, slots: 4)
    // Five failures in a row open the breaker.
    for _ in 0..<5 {
      let grants = roster.requested(
        SlotRequest(id: 1, kind: .survey, avoiding: [vega.id], priority: .urgent))
      _ = try roster.released(try #require(grants.first?.slots.first), .failed, at: .at(0))
    }
    try #require(roster.unwell == [orion.id])
    #expect(roster.requested(SlotRequest(id: 2, kind: .survey, run: run, count: 4)).count == 1)
    #expect(ask(3) == [], "orion is not healthy, and vega is")
    let grants = roster.foundUnsuited(vega.id, for: run)
    #expect(grants.names(of: 3) == ["orion"])
    #expect(ask(4, of: other) == [], "vega is suited for that, and has no room")
  }

  @Test("The local system is not spared for the sake of systems that are unsuited")
  mutating func sparesLocal() {
    joins(local, isLocal: true)
    joins(orion, slots: 1)
    #expect(ask(1, .normal, .sparesLocal) == ["orion"])
    #expect(ask(2, .normal, .sparesLocal) == [])
    #expect(ask(3, of: other, .normal, .quarantine) == [])
    #expect(roster.foundUnsuited(orion.id, for: run).map(\.request) == [2])
    #expect(ask(4, .normal, .sparesLocal) == ["local"])
    #expect(ask(5, avoiding: [local], .normal, .sparesLocal) == ["local"], "it is the only one")
    #expect(ask(6, .normal, .remoteQuarantine) == [])
  }

  @Test("The local system may be unsuited too")
  mutating func unsuitedLocal() {
    joins(local, isLocal: true)
    joins(orion)
    #expect(ask(1) == ["local"])
    _ = roster.foundUnsuited(local.id, for: run)
    #expect(ask(2) == ["orion"])
    #expect(ask(3, avoiding: [orion]) == ["orion"], "it is the only one")
    #expect(ask(4, of: other) == ["local"])
  }

  @Test("When the run has ended, or the system has left, nothing is remembered")
  mutating func forgets() {
    joins(orion)
    _ = roster.foundUnsuited(orion.id, for: run)
    _ = roster.foundUnsuited(orion.id, for: run)
    roster.ended(run)
    #expect(!roster.isUnsuited(orion.id, for: run))
    #expect(ask(1) == ["orion"])
    _ = roster.foundUnsuited(orion.id, for: run)
    _ = roster.left(orion.id, at: .at(1))
    #expect(!roster.isUnsuited(orion.id, for: run))
    #expect(roster.foundUnsuited(orion.id, for: run) == [], "it is gone")
    #expect(ask(2) == [])
    #expect(roster.joined(orion.member(slots: 1), at: .at(2)).names(of: 2) == ["orion"])
    #expect(!roster.isUnsuited(orion.id, for: run))
  }
}
