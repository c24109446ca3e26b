import Testing

@testable import SkyNetCore

@Suite("Systems that are unsuited for an engagement")
struct UnsuitedSystemTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let settings = EngagementSettings(
    attempts: 5, firstSystemTimeout: .seconds(10), noSystemTimeout: .seconds(60))

  /// An attempt on a system that is the last one found unsuited.
  private func found(
    _ engagement: inout Engagement, by attempt: Attempt, at seconds: Double
  ) -> [EngagementAction] {
    engagement.systemUnsuited(leaving: 0, at: .at(seconds))
      + engagement.attemptEnded(attempt.id, .unsuited, at: .at(seconds))
  }

  @Test("Nothing counts against a task whose system is unsuited, however often that happens")
  func countsForNothing() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], settings: settings)
    #expect(engagement.systemUnsuited(leaving: 1, at: .at(0)).aboutTasks == [])
    let actions = engagement.fail(attempts[0], times: 50, on: vega, .unsuited)
    #expect(actions.aboutTasks == [.requestSlot(for: .sector(0), avoiding: [orion.id, vega.id])])
  }

  @Test("If all systems are unsuited and none has scanned, it is as if none had come")
  func noneSuited() {
    var (engagement, attempts) = Engagement.handedOut(
      3, to: orion.slots(1...2), settings: settings)
    var actions = found(&engagement, by: attempts[0], at: 1)
    #expect(!actions.contains { if case .waitForSystem = $0 { true } else { false } })
    #expect(actions.wakes.contains(.at(11)))
    actions = found(&engagement, by: attempts[1], at: 2)
    #expect(engagement.woke(at: .at(10.9)).aboutTasks == [])
    #expect(
      engagement.woke(at: .at(11)).aboutTasks == [.noSystem], "the wait counts from the first time")
  }

  @Test("A sector that could not be made is no scan: if no system suits, the wait is short")
  func notMade() {
    var (engagement, attempts) = Engagement.handedOut(
      3, to: orion.slots(1...2), settings: settings)
    _ = engagement.attemptEnded(
      attempts[0].id, .failed(reason: "the input is gone", code: .unmendable), at: .at(0.5))
    _ = found(&engagement, by: attempts[1], at: 1)
    #expect(engagement.woke(at: .at(11)).aboutTasks == [.noSystem])
  }

  @Test("An attempt on a slot that was granted before changes nothing about that")
  func grantedBefore() throws {
    var (engagement, attempts) = Engagement.handedOut(3, to: [orion.slot()], settings: settings)
    _ = found(&engagement, by: attempts[0], at: 1)
    let granted = engagement.slotsGranted([orion.slot(2)], at: .at(1))
    let late = try #require(granted.begun.first)
    _ = found(&engagement, by: late, at: 2)
    #expect(engagement.woke(at: .at(11.9)).aboutTasks == [])
    #expect(engagement.woke(at: .at(12)).aboutTasks == [.noSystem])
  }

  @Test("A system that comes in time and suits ends the wait")
  func comesInTime() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], settings: settings)
    _ = found(&engagement, by: attempts[0], at: 1)
    #expect(engagement.systemsChanged(to: 1, at: .at(10)).aboutTasks == [])
    let granted = engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(10))
    let attempt = try #require(granted.begun.first)
    #expect(attempt.scanAttempt.number == 1)
    #expect(engagement.woke(systems: 1, at: .at(11)).aboutTasks == [])
    let ended = engagement.attemptEnded(attempt.id, .succeeded(seconds: 1), at: .at(12))
    #expect(ended.aboutTasks == [.accept(attempt, attempts: 2, seconds: 1)])
  }

  @Test("If something was scanned before, the tasks that wait are abandoned after the longer wait")
  func afterScans() {
    for outcome in [AttemptOutcome.succeeded(seconds: 1), .threw(), .refused(reason: "impossible")]
    {
      var (engagement, attempts) = Engagement.handedOut(
        3, to: orion.slots(1...2), settings: settings)
      _ = engagement.attemptEnded(attempts[0].id, outcome, at: .at(1))
      if case .succeeded = outcome { _ = engagement.received([], at: .at(1)) }
      let actions = found(&engagement, by: attempts[1], at: 1)
      #expect(actions.contains(.waitForSystem(until: .at(61))))
      #expect(engagement.woke(at: .at(60)).aboutTasks == [])
      let end = engagement.woke(at: .at(61))
      #expect(end.abandoned.contains(.sector(1)) && end.abandoned.contains(.sector(2)))
      #expect(end.last == .finish)
    }
  }

  @Test(
    "A scan that still runs on a system that leaves is waited for, though all others are unsuited")
  func leavingSystemScans() {
    var (engagement, attempts) = Engagement.handedOut(
      2, to: [orion.slot(), vega.slot()], settings: settings)
    // Vega leaves and finishes its scan.
    _ = engagement.systemsChanged(to: 1, at: .at(1))
    _ = found(&engagement, by: attempts[0], at: 2)
    #expect(engagement.woke(at: .at(12)).contains(.waitForSystem(until: .at(72))))
    #expect(engagement.woke(at: .at(71)).aboutTasks == [])
    #expect(engagement.woke(at: .at(72)).abandoned == [.sector(0)])
    _ = engagement.attemptEnded(attempts[1].id, .succeeded(seconds: 80), at: .at(81))
    #expect(engagement.received([]) == [.finish])
  }
}
