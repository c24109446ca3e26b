import Testing

@testable import SkyNetCore

@Suite("Trying a second time what straggles")
struct HedgeTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let lyra = TestSystem("lyra")

  /// Sector 0 took so many seconds; sector 1 runs on orion since the beginning.
  private func straggling(
    after seconds: Double = 1, settings: EngagementSettings = EngagementSettings()
  ) -> (Engagement, Attempt) {
    var (engagement, attempts) = Engagement.handedOut(
      2, to: [vega.slot(), orion.slot()], settings: settings)
    for attempt in attempts { _ = engagement.attemptStarted(attempt.id, at: .at(0)) }
    let ended = AttemptOutcome.succeeded(seconds: seconds)
    _ = engagement.attemptEnded(attempts[0].id, ended, at: .at(seconds))
    _ = engagement.received([], at: .at(seconds))
    return (engagement, attempts[1])
  }

  private func hedged() -> (Engagement, Attempt, Attempt) {
    var (engagement, attempt) = straggling()
    _ = engagement.woke(at: .at(3))
    let hedge = engagement.idleSlotGranted(vega.slot(9), at: .at(3)).begun
    return (engagement, attempt, hedge.first ?? attempt)
  }

  @Test("A scan straggles after twice the median of its pass")
  func twiceTheMedian() {
    var (engagement, attempt) = straggling()
    // The median is known to a fifth.
    #expect(engagement.woke(at: .at(1.99)).idleWishes == [])
    #expect(engagement.woke(at: .at(2.4)).idleWishes == [[orion.id]])
    let actions = engagement.idleSlotGranted(vega.slot(2), at: .at(2.4))
    #expect(actions.cancelled == [], "the first goes on")
    #expect(actions.begun.map(\.task) == [attempt.task])
    #expect(actions.begun.map(\.isHedge) == [true])
    #expect(actions.begun.map(\.ordinal) == [2])
    #expect(actions.begun.map(\.scanAttempt) == [ScanAttempt(number: 1, isHedge: true)])
    attempt = actions.begun.first ?? attempt
    #expect(engagement.idleSlotGranted(lyra.slot(), at: .at(9)).begun == [], "two are enough")
  }

  @Test("However short the scans are, none straggles within 100 ms")
  func atLeast() {
    var (engagement, _) = straggling(after: 0.001)
    #expect(engagement.woke(at: .at(0.099)).idleWishes == [])
    #expect(engagement.woke(at: .at(0.101)).idleWishes == [[orion.id]])
  }

  @Test("A pass of which no scan has ended keeps no other pass from straggling")
  func passes() {
    var engagement = Engagement(settings: EngagementSettings())
    let ranges = [TaskRange(pass: 1, sectors: 0..<1), TaskRange(sectors: 0..<2)]
    _ = engagement.began(ranges, systems: 1, at: .at(0))
    let attempts = engagement.slotsGranted(orion.slots(1...3), at: .at(0)).begun
    for attempt in attempts { _ = engagement.attemptStarted(attempt.id, at: .at(0)) }
    _ = engagement.attemptEnded(attempts[1].id, .succeeded(seconds: 1), at: .at(1))
    _ = engagement.received([])
    _ = engagement.woke(at: .at(3))
    let hedge = engagement.idleSlotGranted(vega.slot(), at: .at(3)).begun
    #expect(hedge.map(\.task) == [.sector(1)])
  }

  @Test("Without a factor nothing is tried twice")
  func never() {
    var (engagement, _) = straggling(settings: EngagementSettings(hedgeFactor: nil))
    #expect(engagement.woke(at: .at(1000)).idleWishes == [])
  }

  @Test("The first answer wins, whichever it is, and the other is cancelled", arguments: [0, 1])
  func firstWins(winner: Int) {
    var (engagement, first, second) = hedged()
    let (fast, slow) = winner == 0 ? (first, second) : (second, first)
    let actions = engagement.attemptEnded(fast.id, .succeeded(seconds: 3), at: .at(4))
    #expect(actions.aboutTasks == [.accept(fast, attempts: 2, seconds: 3), .cancel(slow)])
    #expect(actions.endings == [.withdrawn(reason: "another attempt was faster")])
    #expect(engagement.attemptEnded(slow.id, .succeeded(seconds: 4), at: .at(4)) == [])
    #expect(engagement.received([]) == [.finish])
  }

  @Test("When one of two fails, the other goes on alone, and may be hedged again, there too")
  func failingRival() {
    var (engagement, first, second) = hedged()
    let failed = engagement.attemptEnded(second.id, .threw(), at: .at(4))
    #expect(failed.aboutTasks == [], "nobody waits for a slot")
    let wishes = failed.idleWishes + engagement.woke(at: .at(4)).idleWishes
    #expect(wishes == [[orion.id]])
    let third = engagement.idleSlotGranted(vega.slot(10), at: .at(5)).begun
    #expect(third.map(\.ordinal) == [3])
    let won = engagement.attemptEnded(first.id, .succeeded(seconds: 5), at: .at(5))
    #expect(won.cancelled == third)
  }

  @Test("When both fail, the task is tried again as any other")
  func bothFail() {
    var (engagement, first, second) = hedged()
    _ = engagement.attemptEnded(second.id, .threw(), at: .at(4))
    let actions = engagement.attemptEnded(first.id, .threw(), at: .at(5))
    #expect(actions.avoided == [[vega.id, orion.id]])
  }

  @Test("A hedge that only waits is called back like any other when it is left alone")
  func recalledHedge() {
    var (engagement, first, second) = hedged()
    _ = engagement.attemptEnded(first.id, .threw(), at: .at(4))
    _ = engagement.woke(at: .at(4.1))
    #expect(engagement.idleSlotGranted(lyra.slot(), at: .at(4.1)).cancelled == [second])
  }

  @Test("What ran on a system that was lost is not tried on two at a time")
  func neverSuspects() throws {
    var (engagement, attempt) = straggling()
    _ = engagement.attemptEnded(attempt.id, .lostWhileRunning, at: .at(1))
    let granted = engagement.slotGranted(vega.slot(5), for: attempt.task, at: .at(1))
    let second = try #require(granted.begun.first)
    _ = engagement.attemptStarted(second.id, at: .at(1))
    #expect(engagement.woke(at: .at(1000)).idleWishes == [])
  }
}
