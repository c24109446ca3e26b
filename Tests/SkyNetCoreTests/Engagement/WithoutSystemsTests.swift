import Testing

@testable import SkyNetCore

@Suite("An engagement without systems")
struct WithoutSystemsTests {
  let orion = TestSystem("orion")
  let settings = EngagementSettings(
    attempts: 5, firstSystemTimeout: .seconds(10), noSystemTimeout: .seconds(60))

  @Test("A system that came and went unheard, but was given a task, has been there")
  func unheard() throws {
    var engagement = Engagement(settings: settings)
    _ = engagement.began([TaskRange(sectors: 0..<1)], systems: 0, at: .at(0))
    let attempt = try #require(engagement.slotsGranted([orion.slot()], at: .at(1)).begun.first)
    _ = engagement.attemptEnded(attempt.id, .lostWhileQueued, at: .at(1))
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    #expect(engagement.woke(at: .at(10)).aboutTasks == [])
    #expect(engagement.woke(at: .at(60)).abandoned == [], "the wait counts from the attempt")
    #expect(engagement.woke(at: .at(61)).abandoned == [attempt.task])
  }

  @Test("An engagement ends without having begun if no system comes in time")
  func nobodyComes() {
    var engagement = Engagement(settings: settings)
    #expect(
      engagement.began([TaskRange(sectors: 0..<3)], systems: 0, at: .at(5))
        == [.requestSlots(upTo: 3), .wake(at: .at(15))])
    #expect(engagement.woke(at: .at(14)) == [])
    #expect(engagement.woke(at: .at(15)) == [.noSystem])
    #expect(engagement.woke(at: .at(16)) == [], "the engagement ends once")
    #expect(engagement.slotsGranted([orion.slot()], at: .at(16)) == [.release(orion.slot())])
  }

  @Test("An engagement goes on if a system comes in time")
  func comesInTime() {
    var engagement = Engagement(settings: settings)
    _ = engagement.began([TaskRange(sectors: 0..<3)], systems: 0, at: .at(0))
    #expect(engagement.systemsChanged(to: 1, at: .at(9)) == [])
    #expect(engagement.woke(at: .at(10)).aboutTasks == [])
  }

  @Test("A system that is there when the wait is over ends it, though its news has not come")
  func isThereUnheard() {
    var (engagement, _) = Engagement.handedOut(3, to: [orion.slot()], settings: settings)
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    #expect(engagement.woke(systems: 1, at: .at(61)).abandoned == [])
    #expect(engagement.systemsChanged(to: 1, at: .at(61)).aboutTasks == [])
    #expect(
      engagement.systemsChanged(to: 0, at: .at(62)) == [.waitForSystem(until: .at(122))])
  }

  @Test("When all systems are lost, one that comes back in time is enough")
  func comesBack() {
    var (engagement, _) = Engagement.handedOut(3, to: [orion.slot()], settings: settings)
    #expect(
      engagement.systemsChanged(to: 0, at: .at(1)) == [.waitForSystem(until: .at(61))])
    #expect(
      engagement.systemsChanged(to: 0, at: .at(2)) == [], "the wait counts from the first loss")
    #expect(engagement.systemsChanged(to: 2, at: .at(60)) == [])
    #expect(engagement.woke(at: .at(61)).aboutTasks == [])
    #expect(
      engagement.systemsChanged(to: 0, at: .at(70)) == [.waitForSystem(until: .at(130))])
    #expect(engagement.woke(at: .at(129)).givenUp == [])
  }

  @Test("When all systems are lost for good, the remaining tasks are abandoned with their reasons")
  func noneComesBack() {
    var (engagement, attempts) = Engagement.handedOut(
      5, to: orion.slots(1...2), settings: settings)
    _ = engagement.attemptEnded(attempts[1].id, .lostWhileRunning, at: .at(1))
    _ = engagement.attemptEnded(attempts[0].id, .lostWhileQueued, at: .at(1))
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    let actions = engagement.woke(at: .at(61))
    #expect(actions.abandoned.map(\.sector) == [0, 1, 2, 3, 4])
    let none = "no system was left to scan it"
    let reasons = actions.stories.map { $0.failures.map(\.reason) }
    #expect(reasons == [["cable cut", none], ["cable cut", none], [none], [none], [none]])
    #expect(actions.stories.map(\.attempts) == [1, 1, 0, 0, 0])
    #expect(actions.last == .finish)
  }

  @Test("A scan that still runs on a draining system is waited for")
  func drainingSystem() {
    var (engagement, attempts) = Engagement.handedOut(2, to: [orion.slot()], settings: settings)
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    let actions = engagement.woke(at: .at(61))
    #expect(actions.abandoned == [.sector(1)])
    #expect(!actions.contains(.finish))
    _ = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 70), at: .at(71))
    #expect(engagement.received([]) == [.finish])
  }

  @Test("A task that fails after the others were abandoned is abandoned too")
  func failsAfterwards() {
    var (engagement, attempts) = Engagement.handedOut(2, to: [orion.slot()], settings: settings)
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    var actions = engagement.woke(at: .at(61))
    actions += engagement.attemptEnded(attempts[0].id, .lostWhileRunning, at: .at(70))
    // The task must end at one of the requested wakes.
    actions += engagement.wakeUntilQuiet(actions.wakes)
    #expect(actions.abandoned == [.sector(1), .sector(0)])
    #expect(actions.last == .finish)
  }

  @Test("Tasks that are added after the others were abandoned are abandoned too")
  func addedAfterwards() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()], settings: settings)
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    var actions = engagement.woke(at: .at(61))
    actions += engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(70))
    actions += engagement.received([TaskRange(pass: 1, sectors: 0..<1)], at: .at(70))
    actions += engagement.wakeUntilQuiet(actions.wakes)
    #expect(actions.abandoned == [TaskID(pass: 1, sector: 0)])
    #expect(actions.last == .finish)
  }

  @Test("While a system that was asked to drain is connected, nothing is abandoned")
  func drainedSystem() {
    var (engagement, _) = Engagement.handedOut(2, to: [orion.slot()], settings: settings)
    #expect(
      engagement.systemsChanged(to: 0, drained: 1, at: .at(1)) == [.waitForSystem(until: nil)])
    #expect(engagement.systemsChanged(to: 0, drained: 1, at: .at(2)) == [], "it is told once")
    #expect(engagement.woke(at: .at(1000)).aboutTasks == [])
    // It takes tasks again: it ends its connection and comes back.
    #expect(
      engagement.systemsChanged(to: 0, at: .at(1001)) == [.waitForSystem(until: .at(1061))])
    #expect(engagement.systemsChanged(to: 1, at: .at(1002)) == [])
    #expect(engagement.woke(at: .at(1061)).aboutTasks == [])
  }

  @Test("When a drained system is gone for good, the tasks that wait are abandoned in time")
  func drainedSystemLeaves() {
    var (engagement, attempts) = Engagement.handedOut(2, to: [orion.slot()], settings: settings)
    _ = engagement.systemsChanged(to: 0, drained: 1, at: .at(1))
    _ = engagement.attemptEnded(attempts[0].id, .lostWhileRunning, at: .at(100))
    _ = engagement.systemsChanged(to: 0, at: .at(100))
    #expect(engagement.woke(at: .at(159)).abandoned == [])
    #expect(engagement.woke(at: .at(160)).abandoned.count == 2)
  }

  @Test("A wait that has begun ends when a drained system connects")
  func drainedSystemConnects() {
    var (engagement, _) = Engagement.handedOut(2, to: [orion.slot()], settings: settings)
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    #expect(
      engagement.systemsChanged(to: 0, drained: 1, at: .at(50)) == [.waitForSystem(until: nil)])
    #expect(engagement.woke(at: .at(61)).aboutTasks == [])
  }

  @Test("An engagement that never had a system does not wait for a drained one for ever")
  func drainedFromTheBeginning() {
    var engagement = Engagement(settings: settings)
    _ = engagement.began([TaskRange(sectors: 0..<1)], systems: 0, drained: 1, at: .at(0))
    #expect(engagement.woke(at: .at(10)) == [.noSystem])
  }
}
