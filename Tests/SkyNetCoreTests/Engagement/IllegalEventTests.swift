import Testing

@testable import SkyNetCore

@Suite("Illegal events in an engagement")
struct IllegalEventTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")

  @Test("The answer of an attempt that never began is refused, and changes nothing")
  func neverBegan() {
    var (engagement, attempts) = Engagement.handedOut(2, to: [orion.slot()])
    let unknown = attempts[0].id + 1 << 26
    #expect(
      engagement.attemptEnded(unknown, .succeeded(seconds: 1), at: .at(1)).refused?.event
        == "attempt 2 ends, but never began")
    #expect(engagement.attemptStarted(unknown, at: .at(1)).refused != nil)
    #expect(engagement.attemptEnded(0, .threw(), at: .at(1)).refused != nil)
    #expect(engagement.attemptsInFlight == 1, "the attempt goes on")
    let actions = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(1))
    #expect(actions.aboutTasks.first == .accept(attempts[0], attempts: 1, seconds: 1))
  }

  @Test(
    "The error tells the event, the state and the task's story, and no other task's")
  func story() {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    _ = engagement.attemptStarted(attempts[0].id, at: .at(1))
    _ = engagement.attemptStarted(attempts[1].id, at: .at(1))
    let refused = engagement.attemptStarted(attempts[0].id, at: .at(2)).refused
    let task = attempts[0].task
    #expect(refused?.event == "attempt 1 at \(task) starts twice")
    #expect(refused?.state == "running, with 2 attempts in flight and 0 accepted")
    #expect(refused?.story == ["\(task): attempt 1 began", "\(task): attempt 1 started"])
    #expect(refused?.description.hasPrefix("a bug in SkyNet, please report it: ") == true)
  }

  @Test("Slots without a request are refused")
  func slots() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    #expect(engagement.slotsGranted([vega.slot()], at: .at(1)).refused != nil)
    #expect(engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(1)).refused != nil)
    #expect(engagement.idleSlotGranted(vega.slot(), at: .at(0.01)).refused != nil)
    _ = engagement.attemptEnded(attempts[0].id, .threw(), at: .at(1))
    #expect(engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(1)).begun.count == 1)
    #expect(
      engagement.slotGranted(vega.slot(2), for: .sector(0), at: .at(1)).refused != nil,
      "one slot was requested")
  }

  @Test("More slots than were requested are refused")
  func tooMany() {
    var engagement = Engagement(settings: EngagementSettings())
    _ = engagement.began([TaskRange(sectors: 0..<2)], systems: 1, at: .at(0))
    #expect(engagement.slotsGranted(orion.slots(1...3), at: .at(0)).refused != nil)
    #expect(engagement.slotsGranted([], at: .at(0)).refused != nil)
    #expect(engagement.slotsGranted(orion.slots(1...2), at: .at(0)).begun.count == 2)
  }

  @Test("Taking an output is refused if no attempt was accepted")
  func received() {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    #expect(engagement.received([], at: .at(1)).refused != nil)
    _ = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(1))
    #expect(engagement.received([], at: .at(1)).refused == nil)
    #expect(engagement.received([], at: .at(1)).refused != nil)
  }

  @Test("Events before the beginning are refused, and so is a second beginning")
  func beginning() {
    var engagement = Engagement(settings: EngagementSettings())
    #expect(engagement.interrupted().refused != nil)
    #expect(engagement.woke(at: .at(0)).refused != nil)
    #expect(engagement.systemsChanged(to: 1, at: .at(0)).refused != nil)
    #expect(engagement.systemJoined(orion.id).refused != nil)
    let tasks = [TaskRange(sectors: 0..<1)]
    #expect(engagement.began(tasks, systems: 1, at: .at(0)) == [.requestSlots(upTo: 1)])
    #expect(engagement.began(tasks, systems: 1, at: .at(0)).refused != nil)
  }
}

@Suite("Legal races in an engagement")
struct LegalRaceTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")

  @Test("The late end and the late start of an attempt that has ended change nothing")
  func lateAnswer() {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    _ = engagement.attemptEnded(attempts[0].id, .lostWhileRunning, at: .at(1))
    #expect(engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(2)) == [])
    #expect(engagement.attemptStarted(attempts[0].id, at: .at(2)) == [])
  }

  @Test("The answer of an attempt that its hedge has overtaken changes nothing")
  func beaten() throws {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    for attempt in attempts { _ = engagement.attemptStarted(attempt.id, at: .at(0)) }
    _ = engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(1))
    _ = engagement.received([], at: .at(1))
    _ = engagement.woke(at: .at(10))
    let hedge = try #require(
      engagement.idleSlotGranted(vega.slot(), at: .at(10)).begun.first)
    let end = engagement.attemptEnded(hedge.id, .succeeded(seconds: 1), at: .at(11))
    #expect(end.cancelled == [attempts[1]])
    #expect(engagement.attemptEnded(attempts[1].id, .succeeded(seconds: 9), at: .at(11)) == [])
    #expect(engagement.received([], at: .at(11)).contains(.finish))
  }

  @Test("Slots that are granted after an interruption are given back")
  func interrupted() {
    var (engagement, attempts) = Engagement.handedOut(9, to: orion.slots(1...2))
    _ = engagement.attemptEnded(attempts[0].id, .threw(), at: .at(1))
    _ = engagement.interrupted()
    #expect(engagement.slotsGranted([vega.slot()], at: .at(1)) == [.release(vega.slot())])
    #expect(
      engagement.slotGranted(vega.slot(2), for: attempts[0].task, at: .at(1))
        == [.release(vega.slot(2))])
    #expect(engagement.interrupted() == [])
  }

  @Test("A slot for a task that was abandoned meanwhile is given back")
  func abandoned() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    _ = engagement.attemptEnded(attempts[0].id, .threw(), at: .at(1))
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    #expect(engagement.woke(at: .at(100)).abandoned == [.sector(0)])
    #expect(
      engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(100))
        == [.release(vega.slot())])
  }
}

@Suite("The log of transitions")
struct TransitionLogTests {
  @Test("The log keeps the last 512 transitions, and a story tells the last 16 of one thing")
  func ring() {
    var log = TransitionLog<Int, Int>()
    func story(of subject: Int) -> [String] { log.story(of: subject) { "\($0)" } }
    #expect(story(of: 0) == [])
    for number in 0..<2000 { log.add(number < 1490 ? number : number % 2, number) }
    #expect(story(of: 1487) == (1984..<2000).map { "\($0 % 2): \($0)" }, "none of its own are left")
    #expect(story(of: 1489) == ["1489: 1489"])
    #expect(story(of: 0).first == "0: 1968")
  }
}
