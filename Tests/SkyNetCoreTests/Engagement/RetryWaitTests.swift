import Testing

@testable import SkyNetCore

@Suite("Waits before a task is tried again")
struct RetryWaitTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")

  private func settings(
    after failure: Duration = .milliseconds(500), scanEnd: Duration? = nil,
    scanTimeout: Duration? = nil
  ) -> EngagementSettings {
    var settings = EngagementSettings(attempts: 5, scanTimeout: scanTimeout)
    settings.retryWaits = RetryWaits(afterFailure: failure, scanEnd: scanEnd)
    return settings
  }

  private func lost(within seconds: Double = 10, hadStarted: Bool = false) -> AttemptOutcome {
    .lost(reason: "cable cut", cancelledWithin: seconds, hadStarted: hadStarted)
  }

  @Test("Each failure of a task doubles its wait, and then it is asked for a slot")
  func doubles() throws {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()], settings: settings())
    var (attempt, now) = (attempts[0], 0.0)
    for wait in [0.5, 1, 2, 4] {
      let failed = engagement.attemptEnded(attempt.id, .threw(), at: .at(now))
      #expect(failed.avoided == [])
      #expect(engagement.woke(at: .at(now + wait - 0.1)).avoided == [])
      now += wait
      #expect(engagement.woke(at: .at(now)).avoided == [[orion.id]])
      attempt = try #require(
        engagement.slotGranted(orion.slot(), for: .sector(0), at: .at(now)).begun.first)
    }
    let end = engagement.attemptEnded(attempt.id, .threw(), at: .at(now))
    #expect(end.givenUp == [.sector(0)] && end.last == .finish)
  }

  @Test("A wait is at most half a minute")
  func longest() {
    let waits = RetryWaits(afterFailure: .milliseconds(500))
    #expect(waits.wait(afterFailures: 0) == .zero)
    #expect(waits.wait(afterFailures: 7) == .seconds(30))
    #expect(waits.wait(afterFailures: .max) == .seconds(30))
  }

  @Test(
    "Tasks that were not tried get slots while others wait, and the engagement ends with the last of both"
  )
  func otherWork() throws {
    var (engagement, attempts) = Engagement.handedOut(
      2, to: [orion.slot()], settings: settings())
    #expect(engagement.attemptEnded(attempts[0].id, .threw(), at: .at(0)).avoided == [])
    let second = try #require(engagement.slotsGranted([orion.slot(2)], at: .at(0)).begun.first)
    #expect(second.task == .sector(1))
    _ = engagement.attemptEnded(second.id, .succeeded(seconds: 0.1), at: .at(0.1))
    #expect(engagement.received([], at: .at(0.1)).last != .finish)
    #expect(engagement.woke(at: .at(0.5)).avoided == [[orion.id]])
    let third = engagement.slotGranted(orion.slot(3), for: .sector(0), at: .at(0.5)).begun
    _ = engagement.attemptEnded(third[0].id, .succeeded(seconds: 0.1), at: .at(0.6))
    #expect(engagement.received([], at: .at(0.6)).last == .finish)
  }

  @Test("What a system hands back, or has no room for, is asked for at once")
  func handedBack() {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()], settings: settings(scanEnd: .seconds(3)))
    let ended = engagement.attemptEnded(
      attempts[0].id, .withdrawn(reason: "no memory"), at: .at(0))
    #expect(ended.avoided == [[orion.id]])
  }

  @Test("An interruption does not wait for what waits")
  func interrupted() {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()], settings: settings())
    _ = engagement.attemptEnded(attempts[0].id, .threw(), at: .at(0))
    #expect(engagement.interrupted().last == .finish)
    #expect(engagement.woke(at: .at(1)) == [])
  }

  @Test("Tasks that wait are abandoned with all others when no system comes")
  func abandoned() {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()], settings: settings(after: .seconds(100)))
    _ = engagement.attemptEnded(attempts[0].id, .threw(), at: .at(0))
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    let end = engagement.woke(at: .at(70))
    #expect(end.abandoned == [.sector(0)] && end.last == .finish)
  }

  // MARK: One attempt at a time

  @Test("A scan that took too long has time to end before its task is tried again")
  func overdue() {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()],
      settings: settings(scanEnd: .seconds(3), scanTimeout: .seconds(10)))
    _ = engagement.attemptStarted(attempts[0].id, at: .at(0))
    let actions = engagement.woke(at: .at(10))
    #expect(actions.cancelled == attempts && actions.avoided == [])
    #expect(engagement.woke(at: .at(12.9)).avoided == [])
    #expect(engagement.woke(at: .at(13)).avoided == [[orion.id]])
  }

  @Test(
    "Where the command to end may not have arrived, the task waits until that is known, and for the system to end it"
  )
  func outOfReach() {
    var settings = settings(scanEnd: .seconds(3), scanTimeout: .seconds(10))
    settings.longestSilence = .seconds(6)
    var (engagement, attempts) = Engagement.handedOut(
      2, to: [orion.slot(), vega.slot()], settings: settings)
    for attempt in attempts { _ = engagement.attemptStarted(attempt.id, at: .at(0)) }
    _ = engagement.woke(at: .at(10))
    #expect(engagement.woke(at: .at(18.9)).avoided == [])
    let wait = engagement.systemLost(orion.id, cancelledWithin: .seconds(11), at: .at(15))
    #expect(wait == .seconds(14))
    let other = TestSystem("deneb")
    #expect(engagement.systemLost(other.id, cancelledWithin: .seconds(11), at: .at(15)) == nil)
    #expect(engagement.woke(at: .at(19)).avoided == [[vega.id]])
    #expect(engagement.woke(at: .at(28.9)).avoided == [])
    #expect(engagement.woke(at: .at(29)).avoided == [[orion.id]])
  }

  @Test("A scan that its system cancelled has time to end, too")
  func cancelled() {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()], settings: settings(scanEnd: .seconds(3)))
    #expect(engagement.attemptEnded(attempts[0].id, .cancelled, at: .at(0)).avoided == [])
    #expect(engagement.woke(at: .at(2.9)).avoided == [])
    #expect(engagement.woke(at: .at(3)).avoided == [[orion.id]])
  }

  @Test(
    "A task that was lost is not scanned elsewhere before its system has ended the scan",
    arguments: [true, false])
  func lostElsewhere(hadStarted: Bool) throws {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()], settings: settings(scanEnd: .seconds(3)))
    let ended = engagement.attemptEnded(
      attempts[0].id, lost(hadStarted: hadStarted), at: .at(0))
    #expect(ended.avoided == [[orion.id]])
    let early = engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(1))
    #expect(early.begun == [] && early.first == .release(vega.slot()))
    #expect(engagement.woke(at: .at(12.9)).avoided == [])
    #expect(engagement.woke(at: .at(13)).avoided == [[orion.id]])
    #expect(engagement.slotGranted(vega.slot(2), for: .sector(0), at: .at(13)).begun.count == 1)
  }

  @Test("A system that comes back goes on with the task's scan, or has ended it a moment later")
  func back() {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()], settings: settings(scanEnd: .seconds(3)))
    _ = engagement.attemptEnded(attempts[0].id, lost(), at: .at(0))
    _ = engagement.systemsChanged(to: 0, at: .at(0))
    _ = engagement.systemJoined(orion.id)
    let first = engagement.slotGranted(orion.slot(2), for: .sector(0), at: .at(1))
    #expect(first.begun == [])
    #expect(engagement.woke(systems: 1, at: .at(4)).avoided == [[orion.id]])
    // Another system still has to wait.
    let elsewhere = engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(4))
    #expect(elsewhere.begun == [])
    #expect(engagement.woke(systems: 1, at: .at(13)).avoided == [[orion.id]])
    #expect(engagement.slotGranted(vega.slot(2), for: .sector(0), at: .at(13)).begun.count == 1)
  }

  @Test("The system that came back gets the task after that moment")
  func backAgain() {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()], settings: settings(scanEnd: .seconds(3)))
    _ = engagement.attemptEnded(attempts[0].id, lost(), at: .at(0))
    _ = engagement.slotGranted(orion.slot(2), for: .sector(0), at: .at(1))
    _ = engagement.woke(at: .at(4))
    #expect(engagement.slotGranted(orion.slot(3), for: .sector(0), at: .at(4)).begun.count == 1)
  }

  @Test("A call that a lost system never got leaves nothing to wait for")
  func neverGot() {
    var (engagement, attempts) = Engagement.handedOut(
      1, to: [orion.slot()], settings: settings(scanEnd: .seconds(3)))
    _ = engagement.attemptEnded(attempts[0].id, lost(within: 0), at: .at(0))
    #expect(engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(0)).begun.count == 1)
  }

  @Test(
    "A task that is called back from a queue waits as long, and is called back only after as long")
  func stolen() {
    var (engagement, attempts) = Engagement.handedOut(
      2, to: [orion.slot(), orion.slot(2)], settings: settings(scanEnd: .seconds(3)))
    #expect(engagement.woke(at: .at(1)).idleSlotRequests == [])
    #expect(engagement.woke(at: .at(3)).idleSlotRequests == [[orion.id]])
    let actions = engagement.idleSlotGranted(vega.slot(), at: .at(3))
    #expect(actions.cancelled == [attempts[1]] && actions.begun == [])
    #expect(actions.contains(.release(vega.slot())))
    attempts.removeLast()
    #expect(engagement.woke(at: .at(6)).avoided == [[orion.id]])
  }

  @Test("What an earlier process has tried waits until that has ended")
  func resumed() {
    var story = TaskStory()
    story.began()
    story.ended(.withdrawn(reason: "the engagement ended"), on: orion.id, named: "orion")
    var engagement = Engagement(settings: settings(scanEnd: .seconds(3)))
    let began = engagement.began(
      [TaskRange(sectors: 0..<2)], stories: [.sector(0): story], systems: 1, at: .at(0))
    #expect(began.contains(.requestSlots(upTo: 1)))
    #expect(engagement.woke(at: .at(3)).avoided == [[orion.id]])
  }

  @Test("What an earlier process left on another system waits until that has noticed it and ended")
  func leftElsewhere() {
    var story = TaskStory()
    story.began()
    story.ended(.withdrawn(reason: "the engagement died"), on: orion.id, named: "orion")
    story.isLeftElsewhere = true
    var settings = settings(scanEnd: .seconds(3))
    settings.longestSilence = .seconds(6)
    var engagement = Engagement(settings: settings)
    _ = engagement.began(
      [TaskRange(sectors: 0..<2)], stories: [.sector(0): story], systems: 1, at: .at(0))
    #expect(engagement.woke(at: .at(14.9)).avoided == [])
    #expect(engagement.woke(at: .at(15)).avoided == [[orion.id]])
  }
}
