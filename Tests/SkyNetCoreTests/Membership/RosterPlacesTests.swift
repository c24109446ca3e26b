import Testing

@testable import SkyNetCore

@Suite("Work for systems at places that die young")
struct RosterPlacesTests {
  private let place = Place(name: "orion", host: "10.0.0.1")
  private let local = TestSystem("local")
  private let first = TestSystem("orion")
  private let second = TestSystem("orion")
  private var roster = Roster()

  init() throws {
    // The first system died after two seconds, with its attempt.
    _ = roster.joined(first.member(slots: 2, place: place), at: .at(0))
    _ = try roster.take()
    _ = roster.left(first.id, at: .at(2))
  }

  private mutating func joins(_ system: TestSystem, at seconds: Double) -> [Roster.Grant] {
    roster.joined(system.member(slots: 2, place: place), at: .at(seconds))
  }

  private func request(
    _ id: UInt64, avoiding: [TestSystem] = [], _ caution: SlotRequest.Caution = .none
  ) -> SlotRequest {
    SlotRequest(
      id: id, kind: .survey, avoiding: avoiding.map(\.id), priority: .urgent, caution: caution)
  }

  @Test("A paused system gets nothing, and then one attempt at a time until one succeeds")
  mutating func paused() throws {
    _ = roster.joined(local.member(slots: 1, isLocal: true), at: .at(0))
    _ = joins(second, at: 3)
    #expect(roster.pauses == [Roster.Pause(id: second.id, failures: 0, end: .at(7))])
    #expect(roster.nextWake == .at(7))
    #expect(roster.ask(1) == ["local"])
    #expect(roster.ask(2) == [])
    #expect(roster.woke(at: .at(7)).names(of: 2) == ["orion"])
    #expect(roster.ask(3) == [], "one attempt at a time")
  }

  @Test("A paused system is used at once if there is no other")
  mutating func alone() {
    _ = joins(second, at: 3)
    #expect(roster.ask(1, for: 2) == ["orion", "orion"])
  }

  @Test("A system that comes back as the same incarnation is not paused")
  mutating func cutOff() {
    _ = roster.joined(local.member(slots: 1, isLocal: true), at: .at(0))
    _ = joins(first, at: 3)
    #expect(roster.ask(1, for: 3) == ["local", "orion", "orion"])
  }

  @Test("A system that was asked to drain has died if it goes without a goodbye, and else has left")
  mutating func askedToDrain() throws {
    for inOrder in [false, true] {
      var roster = Roster()
      _ = roster.joined(local.member(slots: 1, isLocal: true), at: .at(0))
      _ = roster.joined(first.member(slots: 2, place: place), at: .at(0))
      #expect(roster.ask(1, for: 3).count == 3)
      _ = roster.draining(first.id, by: "ada")
      _ = roster.left(first.id, inOrder: inOrder, at: .at(1))
      _ = roster.joined(second.member(slots: 2, place: place), at: .at(2))
      #expect(roster.pauses.isEmpty == inOrder)
    }
  }

  @Test("A system that drained before it left did not die")
  mutating func drained() {
    var roster = Roster()
    _ = roster.joined(local.member(slots: 1, isLocal: true), at: .at(0))
    _ = roster.joined(first.member(slots: 2, place: place), at: .at(0))
    _ = roster.draining(first.id)
    _ = roster.left(first.id, at: .at(1))
    _ = roster.joined(second.member(slots: 2, place: place), at: .at(2))
    #expect(roster.pauses.isEmpty)
  }

  @Test("A task lost with one incarnation is tried elsewhere before the next one gets it")
  mutating func elsewhere() {
    let vega = TestSystem("vega")
    _ = joins(second, at: 3)
    _ = roster.woke(at: .at(7))
    #expect(roster.requested(request(1, avoiding: [first])).names(of: 1) == ["orion"])
    _ = roster.joined(vega.member(slots: 1), at: .at(8))
    #expect(roster.requested(request(2, avoiding: [first])).names(of: 2) == ["vega"])
    #expect(roster.requested(request(3, avoiding: [first])) == [], "the request waits for vega")
    #expect(
      roster.left(vega.id, at: .at(9)) == [], "its breaker is half open, and it has one attempt")
  }

  @Test("The local system is spared while another is here, even a paused one")
  mutating func sparesLocal() {
    _ = roster.joined(local.member(slots: 1, isLocal: true), at: .at(0))
    _ = joins(second, at: 3)
    let careful = request(1, avoiding: [first, local], .sparesLocal)
    #expect(roster.requested(careful) == [])
    #expect(roster.left(second.id, at: .at(4)).names(of: 1) == ["local"])
    let third = TestSystem("orion")
    _ = joins(third, at: 5)
    #expect(roster.requested(request(2, avoiding: [first, local], .sparesLocal)) == [])
    #expect(roster.woke(at: .at(100)).names(of: 2) == ["orion"])
  }

  @Test("A task in quarantine has no neighbours, neither before nor meanwhile")
  mutating func quarantine() throws {
    var roster = Roster()
    let (vega, lyra) = (TestSystem("vega"), TestSystem("lyra"))
    _ = roster.joined(local.member(slots: 2, isLocal: true), at: .at(0))
    _ = roster.joined(vega.member(slots: 2), at: .at(0))
    let busy = roster.requested(SlotRequest(id: 1, kind: .survey, count: 3)).flatMap(\.slots)
    #expect(busy.map(\.name) == ["local", "local", "vega"])
    #expect(roster.requested(request(2, .remoteQuarantine)) == [], "vega has an attempt")
    let grants = roster.joined(lyra.member(slots: 4), at: .at(0))
    #expect(grants.names(of: 2) == ["lyra"])
    #expect(roster.ask(3, for: 9) == ["vega"], "lyra has no room left")
    #expect(roster.ask(4) == [])
    let alone = try #require(grants.first?.slots.first)
    #expect(try roster.released(alone, at: .at(1)).names(of: 4) == ["lyra"])
    for slot in busy.prefix(2) { _ = try roster.released(slot, at: .at(1)) }
    #expect(
      roster.requested(request(5, .remoteQuarantine)) == [],
      "a remote quarantine never uses the local system")
    #expect(
      roster.requested(request(6, .quarantine)) == [],
      "the local system is spared while others are here")
    _ = roster.left(vega.id, at: .at(2))
    #expect(roster.left(lyra.id, at: .at(2)).names(of: 6) == ["local"])
    #expect(roster.ask(7) == [], "the local system is in quarantine now")
  }
}
