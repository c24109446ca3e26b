import Testing

@testable import SkyNetCore

@Suite("A scan's timeout")
struct TimeoutTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let limited = EngagementSettings(attempts: 2, scanTimeout: .seconds(10))

  @Test("The clock of a scan starts when the scan does, not when it is sent")
  func clockStartsWithScan() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], settings: limited)
    #expect(engagement.woke(at: .at(1000)) == [], "it is still queued")
    #expect(engagement.attemptStarted(attempts[0].id, at: .at(1000)) == [.wake(at: .at(1010))])
    #expect(engagement.woke(at: .at(1009)) == [])
    #expect(engagement.woke(at: .at(1010)).first == .cancel(attempts[0]))
  }

  @Test("Without a timeout nothing is to be woken for")
  func noTimeout() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    #expect(engagement.attemptStarted(attempts[0].id, at: .at(0)) == [])
    #expect(engagement.woke(at: .at(1_000_000)) == [])
  }

  @Test("A scan that takes too long is cancelled, counts, and is tried elsewhere")
  func timesOut() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], settings: limited)
    let reason = "the scan took longer than 10.0 s"
    _ = engagement.attemptStarted(attempts[0].id, at: .at(0))
    #expect(
      engagement.woke(at: .at(10)) == [
        .cancel(attempts[0]),
        .rerun(.sector(0), FailedAttempt(system: "orion", reason: reason)),
        .requestSlot(for: .sector(0), avoiding: [orion.id]),
      ])
    #expect(engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 11), at: .at(11)) == [])

    let granted = engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(11))
    let second = try #require(granted.begun.first)
    _ = engagement.attemptStarted(second.id, at: .at(11))
    let actions = engagement.woke(at: .at(21))
    #expect(actions.givenUp == [.sector(0)])
    #expect(actions.stories.first?.failures.map(\.reason) == [reason, reason])
    #expect(actions.stories.first?.seconds == 10)
    #expect(actions.last == .finish)
  }

  @Test("Only the scans that are over their time are cancelled, in the order they began")
  func onlyThoseOver() {
    var (engagement, attempts) = Engagement.handedOut(
      4, to: orion.slots(1...4), settings: limited)
    for (attempt, start) in zip(attempts, [3.0, 0, 1, 9]) {
      _ = engagement.attemptStarted(attempt.id, at: .at(start))
    }
    let cancelled = engagement.woke(at: .at(11)).filter {
      if case .cancel = $0 { true } else { false }
    }
    #expect(cancelled == [.cancel(attempts[1]), .cancel(attempts[2])])
  }

  @Test("A scan that ended in time is left alone")
  func inTime() {
    var (engagement, attempts) = Engagement.handedOut(
      2, to: orion.slots(1...2), settings: limited)
    _ = engagement.attemptStarted(attempts[0].id, at: .at(0))
    _ = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 9), at: .at(9))
    #expect(engagement.woke(at: .at(10)) == [])
  }

  @Test("A scan on a system that drains is timed out even if no other system is left")
  func withoutOtherSystems() {
    let settings = EngagementSettings(scanTimeout: .seconds(90), noSystemTimeout: .seconds(60))
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], settings: settings)
    _ = engagement.attemptStarted(attempts[0].id, at: .at(0))
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    _ = engagement.woke(at: .at(61))
    #expect(engagement.woke(at: .at(90)).contains(.cancel(attempts[0])))
  }
}
