import Testing

@testable import SkyNetCore

@Suite("The end of an engagement")
struct EndTests {
  let orion = TestSystem("orion")

  @Test("An engagement finishes once, when the last output has been taken")
  func finishes() {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    for attempt in attempts {
      let actions = engagement.attemptEnded(attempt.id, .succeeded(seconds: 1), at: .at(1))
      #expect(!actions.contains(.finish), "the job may add tasks from the output")
    }
    #expect(engagement.received([]) == [])
    #expect(engagement.received([]) == [.finish])
    #expect(engagement.interrupted() == [])
    #expect(engagement.woke(at: .at(1000)) == [])
  }

  @Test("An engagement does not finish while a later pass has tasks")
  func passes() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    _ = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(1))
    #expect(
      engagement.received([TaskRange(pass: 1, sectors: 0..<1)]) == [.requestSlots(upTo: 1)])
    let granted = engagement.slotsGranted([orion.slot()], at: .at(1))
    let second = try #require(granted.begun.first)
    #expect(second.ordinal == 1)
    _ = engagement.attemptEnded(second.id, .succeeded(seconds: 1), at: .at(2))
    #expect(engagement.received([]) == [.finish])
  }

  @Test("An engagement finishes when its last sector is given up")
  func givenUpLast() {
    var (engagement, attempts) = Engagement.handedOut(
      2, to: orion.slots(1...2), settings: EngagementSettings(attempts: 1))
    _ = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(1))
    #expect(engagement.received([]) == [])
    let actions = engagement.attemptEnded(attempts[1].id, .threw(), at: .at(1))
    #expect(actions.givenUp == [.sector(1)])
    #expect(actions.last == .finish)
  }

  @Test("Slots that no request is open for are refused after the end")
  func slotsAfterEnd() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    _ = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(1))
    _ = engagement.received([])
    #expect(engagement.slotsGranted([orion.slot(2)], at: .at(2)).refused != nil)
  }
}

@Suite("An interruption")
struct InterruptionTests {
  let orion = TestSystem("orion")

  @Test("An interruption with nothing in flight ends the engagement at once")
  func nothingInFlight() {
    var engagement = Engagement(settings: EngagementSettings())
    _ = engagement.began([TaskRange(sectors: 0..<5)], systems: 1, at: .at(0))
    #expect(engagement.interrupted() == [.finish])
    #expect(engagement.interrupted() == [])
    #expect(engagement.slotsGranted([orion.slot()], at: .at(0)) == [.release(orion.slot())])
  }

  @Test("After an interruption running scans finish, and no task is handed out")
  func waitsForWhatRuns() {
    var (engagement, attempts) = Engagement.handedOut(9, to: orion.slots(1...2))
    #expect(engagement.interrupted() == [])
    #expect(engagement.slotsGranted([orion.slot(3)], at: .at(1)) == [.release(orion.slot(3))])
    let first = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(1))
    #expect(first.aboutTasks == [.accept(attempts[0], attempts: 1, seconds: 1)])
    #expect(engagement.received([TaskRange(pass: 1, sectors: 0..<1)]) == [])
    let last = engagement.attemptEnded(attempts[1].id, .threw(), at: .at(1))
    #expect(last.aboutTasks == [.finish])
  }

  @Test("Sectors that were not handed out before an interruption do not count as failed")
  func notCalledFailed() {
    var (engagement, attempts) = Engagement.handedOut(9, to: [orion.slot()])
    _ = engagement.interrupted()
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    #expect(engagement.woke(at: .at(61)).givenUp == [])
    let last = engagement.attemptEnded(attempts[0].id, .lostWhileRunning, at: .at(62))
    #expect(last.aboutTasks == [.finish])
  }
}
