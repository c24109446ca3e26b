import Testing

@testable import SkyNetCore

@Suite("Stalls")
struct StallTests {
  let orion = TestSystem("orion")

  /// An engagement with three tasks, two of which were handed out.
  private func handedOut(
    _ settings: EngagementSettings = EngagementSettings()
  ) -> (engagement: Engagement, attempts: [Attempt]) {
    Engagement.handedOut(3, to: orion.slots(1...2), settings: settings)
  }

  private func silences(_ actions: [EngagementAction]) -> [Duration] {
    actions.compactMap { if case .stalled(_, _, let silence) = $0 { silence } else { nil } }
  }

  /// Wakes the engagement once a second from `start` to `end`.
  private func pass(
    _ engagement: inout Engagement, from start: Int, to end: Int
  ) -> [EngagementAction] {
    (start...end).flatMap { engagement.woke(at: .at(Double($0))) }
  }

  @Test("A stall is reported after a minute, and then after twice as long each time")
  func told() {
    var (engagement, attempts) = handedOut()
    let first = pass(&engagement, from: 1, to: 59)
    #expect(silences(first) == [])
    #expect(first.contains(.reportStart(attempts[0])) && first.contains(.reportStart(attempts[1])))
    _ = engagement.attemptStarted(attempts[1].id, start: .at(10), at: .at(59))
    let told = engagement.woke(at: .at(60))
    let expected = [
      StalledAttempt(attempt: attempts[1], ran: .seconds(50), age: .seconds(60)),
      StalledAttempt(attempt: attempts[0], ran: nil, age: .seconds(60)),
    ]
    #expect(told.contains(.stalled(expected, of: 2, silence: .seconds(60))))
    let later = pass(&engagement, from: 61, to: 500)
    #expect(silences(later) == [.seconds(120), .seconds(240), .seconds(480)])
  }

  @Test("The start of an attempt is asked for once, and only after half a minute")
  func askedOnce() {
    var (engagement, attempts) = handedOut()
    _ = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(1))
    _ = engagement.received([], at: .at(1))
    let actions = pass(&engagement, from: 2, to: 200)
    let asked = actions.filter { if case .reportStart = $0 { true } else { false } }
    #expect(asked == [.reportStart(attempts[1])])
  }

  @Test("The end of an attempt starts the minute again")
  func anew() {
    var (engagement, attempts) = handedOut()
    _ = pass(&engagement, from: 1, to: 50)
    _ = engagement.attemptEnded(attempts[0].id, .threw(), at: .at(50))
    #expect(silences(pass(&engagement, from: 51, to: 109)) == [])
    #expect(silences(pass(&engagement, from: 110, to: 110)) == [.seconds(60)])
  }

  @Test("A lost attempt does not count as ended, as connections may break faster than scans end")
  func lost() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    var actions: [EngagementAction] = []
    // For half of the time there is no system. That half does not count.
    for second in stride(from: 1, to: 125, by: 2) {
      let (broken, back) = (Instant.at(Double(second)), Instant.at(Double(second + 1)))
      actions += engagement.woke(at: broken)
      actions += engagement.attemptEnded(attempts[0].id, .lostWhileQueued, at: broken)
      actions += engagement.systemsChanged(to: 0, at: broken)
      actions += engagement.systemsChanged(to: 1, at: back)
      attempts =
        engagement.slotGranted(orion.slot(UInt64(second + 1)), for: .sector(0), at: back).begun
    }
    #expect(silences(actions) == [.seconds(60)])
  }

  @Test("A stall with tasks waiting and nothing in flight is reported too")
  func nothingUnderWay() throws {
    var (engagement, attempts) = handedOut()
    for attempt in attempts { _ = engagement.attemptEnded(attempt.id, .threw(), at: .at(1)) }
    let actions = pass(&engagement, from: 2, to: 61)
    #expect(actions.contains(.stalled([], of: 0, silence: .seconds(60))))
    _ = engagement.slotGranted(orion.slot(9), for: .sector(0), at: .at(200))
    #expect(silences(pass(&engagement, from: 201, to: 259)) == [])
    #expect(silences(pass(&engagement, from: 260, to: 260)) == [.seconds(60)])
  }

  @Test("Time without any system does not count, as it is reported separately")
  func withoutSystems() throws {
    let settings = EngagementSettings(noSystemTimeout: .seconds(1000))
    var (engagement, attempts) = handedOut(settings)
    for attempt in attempts {
      _ = engagement.attemptEnded(attempt.id, .lostWhileQueued, at: .at(1))
    }
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    let actions = pass(&engagement, from: 2, to: 200)
    #expect(silences(actions) == [] && actions.aboutTasks == [])
    _ = engagement.systemsChanged(to: 1, at: .at(200))
    _ = engagement.slotGranted(orion.slot(9), for: .sector(0), at: .at(200))
    #expect(silences(pass(&engagement, from: 201, to: 258)) == [])
    #expect(silences(pass(&engagement, from: 259, to: 259)) == [.seconds(60)])
  }

  @Test(
    "The start of a retry is asked for, as an earlier attempt may have begun its scan")
  func startedBefore() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    _ = pass(&engagement, from: 1, to: 49)
    _ = engagement.attemptEnded(attempts[0].id, .lostWhileRunning, at: .at(50))
    _ = engagement.systemJoined(orion.id)
    let again = engagement.slotGranted(orion.slot(2), for: .sector(0), at: .at(51))
    #expect(again.contains(.reportStart(again.begun[0])))
    let started = engagement.attemptStarted(
      again.begun[0].id, start: .at(1), limit: .seconds(40), at: .at(52))
    #expect(started.wakes == [.at(41)], "the scan is over its limit already")
    #expect(engagement.woke(at: .at(52)).cancelled == again.begun)
  }

  @Test("The limit of its kind ends a scan that runs longer, and that counts as a failure")
  func kindsLimit() {
    var (engagement, attempts) = handedOut()
    _ = pass(&engagement, from: 1, to: 30)
    let id = attempts[0].id
    let started = engagement.attemptStarted(
      id, start: .at(1), limit: .seconds(44), at: .at(30))
    // The look that is already due comes later.
    #expect(started.wakes == [.at(45)])
    #expect(engagement.woke(at: .at(44)).cancelled == [])
    let actions = engagement.woke(at: .at(45))
    #expect(actions.cancelled == [attempts[0]])
    #expect(
      actions.endings == [
        .failed(
          reason: "the scan took longer than 44.0 s, its kind's limit", seconds: 44, code: .timedOut
        )
      ])
    #expect(actions.avoided == [[orion.id]])
  }

  @Test("The limit of an engagement overrides the limit of the kind")
  func ownLimit() {
    var (engagement, attempts) = handedOut(EngagementSettings(scanTimeout: .seconds(100)))
    let id = attempts[0].id
    _ = engagement.attemptStarted(id, start: .at(0), limit: .seconds(10), at: .at(0))
    #expect(pass(&engagement, from: 1, to: 99).cancelled == [])
    #expect(engagement.woke(at: .at(100)).cancelled == [attempts[0]])
  }

  @Test("When all systems are lost, the end of the wait for one is reported")
  func alone() {
    var (engagement, _) = handedOut()
    let actions = engagement.systemsChanged(to: 0, at: .at(5))
    #expect(actions.contains(.waitForSystem(until: .at(65))))
    #expect(!engagement.systemsChanged(to: 0, at: .at(6)).contains(.waitForSystem(until: .at(65))))
  }
}
