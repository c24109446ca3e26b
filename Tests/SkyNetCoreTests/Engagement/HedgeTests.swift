import Testing

@testable import SkyNetCore

@Suite("Hedging stragglers")
struct HedgeTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let lyra = TestSystem("lyra")

  /// An engagement whose sector 0 took this long, and whose sector 1 has run on orion since the
  /// start.
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
    // The median is exact to a fifth.
    #expect(engagement.woke(at: .at(1.99)).idleSlotRequests == [])
    #expect(engagement.woke(at: .at(2.4)).idleSlotRequests == [[orion.id]])
    let actions = engagement.idleSlotGranted(vega.slot(2), at: .at(2.4))
    #expect(actions.cancelled == [], "the first attempt goes on")
    #expect(actions.begun.map(\.task) == [attempt.task])
    #expect(actions.begun.map(\.isHedge) == [true])
    #expect(actions.begun.map(\.ordinal) == [2])
    #expect(actions.begun.map(\.scanAttempt) == [ScanAttempt(number: 1, isHedge: true)])
    attempt = actions.begun.first ?? attempt
    #expect(
      engagement.idleSlotGranted(lyra.slot(), at: .at(9)).begun == [], "two attempts are enough")
  }

  @Test("No scan straggles within 100 ms, however short the others are")
  func atLeast() {
    var (engagement, _) = straggling(after: 0.001)
    #expect(engagement.woke(at: .at(0.099)).idleSlotRequests == [])
    #expect(engagement.woke(at: .at(0.101)).idleSlotRequests == [[orion.id]])
  }

  @Test("A scan straggles in its pass even if no scan of another pass has ended")
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

  @Test("No scan is hedged without a hedge factor")
  func never() {
    var (engagement, _) = straggling(settings: EngagementSettings(hedgeFactor: nil))
    #expect(engagement.woke(at: .at(1000)).idleSlotRequests == [])
  }

  @Test(
    "The first answer of either attempt wins, and the other attempt is cancelled",
    arguments: [0, 1])
  func firstWins(winner: Int) {
    var (engagement, first, second) = hedged()
    let (fast, slow) = winner == 0 ? (first, second) : (second, first)
    let actions = engagement.attemptEnded(fast.id, .succeeded(seconds: 3), at: .at(4))
    #expect(actions.aboutTasks == [.accept(fast, attempts: 2, seconds: 3), .cancel(slow)])
    #expect(actions.endings == [.withdrawn(reason: "another attempt was faster")])
    #expect(engagement.attemptEnded(slow.id, .succeeded(seconds: 4), at: .at(4)) == [])
    #expect(engagement.received([]) == [.finish])
  }

  @Test("When one of two attempts fails, the other goes on and may be hedged again")
  func failingRival() {
    var (engagement, first, second) = hedged()
    let failed = engagement.attemptEnded(second.id, .threw(), at: .at(4))
    #expect(failed.aboutTasks == [], "no task waits for a slot")
    let requests = failed.idleSlotRequests + engagement.woke(at: .at(4)).idleSlotRequests
    #expect(requests == [[orion.id]])
    let third = engagement.idleSlotGranted(vega.slot(10), at: .at(5)).begun
    #expect(third.map(\.ordinal) == [3])
    let won = engagement.attemptEnded(first.id, .succeeded(seconds: 5), at: .at(5))
    #expect(won.cancelled == third)
  }

  @Test("When both attempts fail, the task is retried like any other")
  func bothFail() {
    var (engagement, first, second) = hedged()
    _ = engagement.attemptEnded(second.id, .threw(), at: .at(4))
    let actions = engagement.attemptEnded(first.id, .threw(), at: .at(5))
    #expect(actions.avoided == [[vega.id, orion.id]])
  }

  @Test(
    "When either attempt fails beyond mending, the other is cancelled and the task given up",
    arguments: [0, 1])
  func unmendable(failing: Int) {
    var (engagement, first, second) = hedged()
    let (failed, other) = failing == 0 ? (first, second) : (second, first)
    let actions = engagement.attemptEnded(failed.id, .unmendable, at: .at(4))
    #expect(actions.cancelled == [other])
    #expect(
      actions.endings == [
        .unmendable, .withdrawn(reason: "another attempt failed beyond mending"),
      ])
    #expect(actions.givenUp == [.sector(1)])
    #expect(actions.stories.first?.attempts == 2)
    #expect(actions.stories.first?.failures.map(\.reason) == ["column 7 is missing"])
    #expect(actions.last == .finish)
    #expect(engagement.attemptEnded(other.id, .succeeded(seconds: 4), at: .at(4)) == [])
  }

  @Test("When a hedge's system is unsuited, the first attempt goes on and may be hedged again")
  func unsuitedHedge() {
    var (engagement, first, second) = hedged()
    _ = engagement.systemUnsuited(leaving: 1, at: .at(4))
    let ended = engagement.attemptEnded(second.id, .unsuited, at: .at(4))
    #expect(ended.aboutTasks == [], "no task waits for a slot")
    #expect(engagement.attemptEnded(first.id, .succeeded(seconds: 5), at: .at(5)).cancelled == [])
    #expect(engagement.received([]) == [.finish])
  }

  @Test("A waiting hedge whose rival has failed can be stolen like any other attempt")
  func stolenHedge() {
    var (engagement, first, second) = hedged()
    _ = engagement.attemptEnded(first.id, .threw(), at: .at(4))
    _ = engagement.woke(at: .at(4.1))
    #expect(engagement.idleSlotGranted(lyra.slot(), at: .at(4.1)).cancelled == [second])
  }

  @Test("A task that ran on a lost system is not hedged")
  func suspects() throws {
    var (engagement, attempt) = straggling()
    _ = engagement.attemptEnded(attempt.id, .lostWhileRunning, at: .at(1))
    let granted = engagement.slotGranted(vega.slot(5), for: attempt.task, at: .at(1))
    let second = try #require(granted.begun.first)
    _ = engagement.attemptStarted(second.id, at: .at(1))
    #expect(engagement.woke(at: .at(1000)).idleSlotRequests == [])
  }
}
