import Testing

@testable import SkyNetCore

@Suite("The scan timeout")
struct TimeoutTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let limited = EngagementSettings(attempts: 2, scanTimeout: .seconds(10))

  @Test("The timeout counts from the start of the scan, and not from its hand-out")
  func clockStartsWithScan() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], settings: limited)
    #expect(engagement.woke(at: .at(1000)).cancelled == [], "the attempt is still queued")
    let started = engagement.attemptStarted(attempts[0].id, at: .at(1000))
    #expect(started.aboutTasks == [])
    #expect(engagement.woke(at: .at(1009)).aboutTasks == [])
    #expect(engagement.woke(at: .at(1010)).first == .cancel(attempts[0]))
  }

  @Test("Without a timeout no wake is requested")
  func noTimeout() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    #expect(engagement.attemptStarted(attempts[0].id, at: .at(1)).wakes == [])
    #expect(engagement.woke(at: .at(1_000_000)).aboutTasks == [])
  }

  @Test("A scan that takes too long is cancelled, counts as failed, and is retried elsewhere")
  func timesOut() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], settings: limited)
    let reason = "the scan took longer than 10.0 s"
    _ = engagement.attemptStarted(attempts[0].id, at: .at(0))
    #expect(
      engagement.woke(at: .at(10)).aboutTasks == [
        .cancel(attempts[0]),
        .rerun(.sector(0), FailedAttempt(system: "orion", code: .timedOut, reason: reason)),
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

  @Test("Only scans over their time are cancelled, in the order in which they were handed out")
  func onlyThoseOver() {
    var (engagement, attempts) = Engagement.handedOut(
      4, to: orion.slots(1...4), settings: limited)
    for (number, start) in [(1, 0.0), (2, 1), (0, 3), (3, 9)] {
      _ = engagement.attemptStarted(attempts[number].id, at: .at(start))
    }
    #expect(engagement.woke(at: .at(11)).cancelled == [attempts[1], attempts[2]])
  }

  @Test("Many limited scans request a wake only for the next deadline")
  func oneWake() {
    var (engagement, attempts) = Engagement.handedOut(
      50, to: orion.slots(1...50), settings: limited)
    // All attempts count as waiting now.
    _ = engagement.woke(at: .at(0.1))
    var wakes: [Instant] = []
    for (number, attempt) in attempts.enumerated() {
      wakes += engagement.attemptStarted(attempt.id, at: .at(1 + Double(number) / 100)).wakes
    }
    #expect(wakes == [.at(11)])
    #expect(engagement.woke(at: .at(11)).cancelled == [attempts[0]])
  }

  @Test("A requested wake is not requested again after an earlier one has come")
  func wakesOnce() {
    var (engagement, attempts) = Engagement.handedOut(
      2, to: orion.slots(1...2), settings: limited)
    _ = engagement.woke(at: .at(0.05))
    var wakes = engagement.attemptStarted(attempts[0].id, at: .at(1)).wakes
    for time in 0..<5 {
      let now = 2 + Double(time)
      _ = engagement.attemptEnded(attempts[1].id, .threw(), at: .at(now))
      let retried = engagement.slotGranted(vega.slot(), for: .sector(1), at: .at(now))
      wakes += retried.wakes + engagement.woke(at: .at(now + 0.05)).wakes
      attempts[1] = retried.begun.first ?? attempts[1]
    }
    #expect(wakes.count { $0 == .at(11) } == 1)
  }

  @Test("A scan that ended in time is not cancelled")
  func inTime() {
    var (engagement, attempts) = Engagement.handedOut(
      2, to: orion.slots(1...2), settings: limited)
    _ = engagement.attemptStarted(attempts[0].id, at: .at(0))
    _ = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 9), at: .at(9))
    #expect(engagement.woke(at: .at(10)).aboutTasks == [])
  }

  @Test("A scan on a draining system times out even if no other system is left")
  func withoutOtherSystems() {
    let settings = EngagementSettings(scanTimeout: .seconds(90), noSystemTimeout: .seconds(60))
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], settings: settings)
    _ = engagement.attemptStarted(attempts[0].id, at: .at(0))
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    _ = engagement.woke(at: .at(61))
    #expect(engagement.woke(at: .at(90)).contains(.cancel(attempts[0])))
  }
}
