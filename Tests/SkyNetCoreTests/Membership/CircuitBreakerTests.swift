import Testing

@testable import SkyNetCore

@Suite("Circuit breakers")
struct CircuitBreakerTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  var roster = Roster()

  init() {
    _ = roster.joined(orion.member(slots: 8), at: .at(0))
  }

  /// Takes slots on any system, and lets all attempts fail.
  private mutating func fail(_ times: Int, at seconds: Double = 0) throws {
    for _ in 0..<times { _ = try roster.released(roster.take(), .failed, at: .at(seconds)) }
  }

  @Test("After five failures in a row a system gets nothing while another is there")
  mutating func rests() throws {
    try fail(4)
    #expect(roster.member(orion.id)?.isTripped == false)
    try fail(1)
    #expect(roster.member(orion.id)?.isTripped == true)
    #expect(roster.ask() == ["orion"], "no other system is there")
    _ = roster.joined(vega.member(slots: 1), at: .at(0))
    #expect(roster.ask(for: 9) == ["vega"])
    #expect(roster.ask(2) == [], "the request waits for vega")
  }

  @Test("A success resets the count of failures")
  mutating func inARow() throws {
    try fail(4)
    let timing = AttemptTiming(scan: 1, queued: 0, turnaround: 1)
    _ = try roster.released(roster.take(), .succeeded(timing), at: .at(0))
    try fail(4)
    #expect(roster.member(orion.id)?.isTripped == false)
    #expect(roster.nextWake == nil)
  }

  @Test("A cancelled or lost attempt leaves the breaker as it is")
  mutating func unused() throws {
    for _ in 0..<9 { _ = try roster.released(roster.take(), at: .at(0)) }
    #expect(roster.nextWake == nil)
  }

  @Test("A half-open breaker lets one attempt through, and each failure doubles its open time")
  mutating func trial() throws {
    try fail(5)
    #expect(roster.nextWake == .at(0) + .milliseconds(100))
    #expect(roster.ask(99, kind: ScanKind(name: "other", version: 1)) == [])
    _ = roster.woke(at: .at(0.11))
    let slot = try roster.take(1)
    #expect(roster.ask(2) == [], "one attempt at a time")
    #expect(try roster.released(slot, .failed, at: .at(1)).names(of: 2) == ["orion"])
    #expect(roster.nextWake == .at(1) + .milliseconds(200))
  }

  @Test("One success closes a half-open breaker")
  mutating func trusted() throws {
    try fail(5)
    _ = roster.woke(at: .at(0.11))
    let timing = AttemptTiming(scan: 1, queued: 0, turnaround: 1)
    _ = try roster.released(roster.take(), .succeeded(timing), at: .at(1))
    #expect(roster.ask(for: 9).count == 8)
    #expect(roster.nextWake == nil)
  }

  @Test("A waiting request is granted when a breaker becomes half open")
  mutating func wakes() throws {
    try fail(5)
    _ = roster.joined(vega.member(slots: 1), at: .at(0))
    #expect(roster.ask(1) == ["vega"])
    #expect(roster.ask(2) == [])
    #expect(roster.woke(at: .at(0.05)) == [])
    #expect(roster.woke(at: .at(0.11)).names(of: 2) == ["orion"])
  }
}

@Suite("Idle slots")
struct IdleSlotTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  var roster = Roster()

  @Test("Requests for idle slots are served after all others")
  mutating func last() {
    #expect(roster.ask(1, .idle) == [])
    #expect(roster.ask(2) == [])
    #expect(roster.ask(3, .urgent) == [])
    #expect(roster.joined(orion.member(slots: 3), at: .at(0)).map(\.request) == [3, 2, 1])
  }

  @Test("No idle slot is granted on an avoided system, even if there is no other")
  mutating func avoids() {
    _ = roster.joined(orion.member(slots: 3), at: .at(0))
    #expect(roster.ask(1, avoiding: [orion], .idle) == [])
    #expect(roster.joined(vega.member(slots: 1), at: .at(0)).names(of: 1) == ["vega"])
  }

  @Test("Room beyond a system's slots is not idle")
  mutating func noPrefetch() throws {
    let short = AttemptTiming(scan: 0.001, queued: 0, turnaround: 0.003)
    _ = roster.joined(orion.member(slots: 1), at: .at(0))
    _ = try roster.released(roster.take(), .succeeded(short), at: .at(0))
    let slot = try roster.take(2)
    #expect(roster.ask(3, .idle) == [])
    #expect(roster.ask(4) == ["orion"], "other requests may use it")
    #expect(try roster.released(slot, at: .at(0)) == [], "one attempt is still there")
  }
}
