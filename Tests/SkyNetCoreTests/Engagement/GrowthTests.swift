import Testing

@testable import SkyNetCore

extension Engagement {
  /// An engagement of a growing job that begins without sectors, and has asked for its first part.
  static func growing(
    settings: EngagementSettings = EngagementSettings(), systems: Int = 1,
    ownSystem: Incarnation? = nil
  ) -> Engagement {
    var engagement = Engagement(settings: settings)
    let actions = engagement.began(
      [], systems: systems, ownSystem: ownSystem, grows: true, at: .at(0))
    precondition(actions.aboutTasks == [.requestPart], "the job is asked for its first part")
    return engagement
  }

  /// A part of these sectors has been added.
  mutating func grew(
    by sectors: Range<Int>, stories: [TaskID: TaskStory] = [:], at now: Instant = .at(0)
  ) -> [EngagementAction] {
    grew(by: [TaskRange(sectors: sectors)], stories: stories, at: now)
  }

  /// An attempt has succeeded, and these tasks follow from its output.
  mutating func succeeded(
    _ attempt: Attempt, adding added: [TaskRange] = [], at now: Instant = .at(1)
  ) -> [EngagementAction] {
    let end = attemptEnded(attempt.id, .succeeded(seconds: 1), at: now)
    return end + received(added, at: now)
  }
}

@Suite("A growing engagement")
struct GrowthTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")

  @Test("The job is asked for a part at the beginning, once, and again when the part has come")
  func asksOnce() {
    var engagement = Engagement.growing()
    #expect(engagement.woke(at: .at(1)) == [])
    #expect(engagement.systemsChanged(to: 2, at: .at(1)).aboutTasks == [])
    #expect(engagement.grew(by: 0..<1) == [.requestSlots(upTo: 1), .requestPart])
    #expect(engagement.slotsGranted([orion.slot()], at: .at(1)).aboutTasks.count == 1, "begin")
    #expect(
      engagement.grew(by: [], at: .at(2)).aboutTasks == [.requestPart],
      "a part without tasks is no end")
  }

  @Test("A job that begins with many sectors is asked for a part when fewer wait than run")
  func asksWhenLow() {
    var engagement = Engagement(settings: EngagementSettings())
    let begin = engagement.began(
      [TaskRange(sectors: 0..<6)], systems: 1, grows: true, at: .at(0))
    #expect(begin == [.requestSlots(upTo: 6)])
    // One runs and five wait; then two run and four wait, which is just enough.
    let first = engagement.slotsGranted([orion.slot(1)], at: .at(0))
    #expect(!first.contains(.requestPart))
    let second = engagement.slotsGranted([orion.slot(2)], at: .at(0))
    #expect(!second.contains(.requestPart))
    #expect(engagement.slotsGranted([orion.slot(3)], at: .at(0)).contains(.requestPart))
    #expect(!engagement.slotsGranted([orion.slot(4)], at: .at(0)).contains(.requestPart))
  }

  @Test("Tasks that follow in a part in progress come before those of later parts")
  func orders() throws {
    var engagement = Engagement.growing()
    _ = engagement.grew(by: 0..<2)
    let attempts = engagement.slotsGranted(orion.slots(1...2), at: .at(0)).begun
    _ = engagement.grew(by: 2..<5)
    _ = engagement.succeeded(attempts[0])
    _ = engagement.succeeded(attempts[1], adding: [TaskRange(pass: 1, sectors: 0..<2)])
    let next = engagement.slotsGranted(orion.slots(1...3), at: .at(1)).begun
    #expect(
      next.map(\.task) == [TaskID(pass: 1, sector: 0), TaskID(pass: 1, sector: 1), .sector(2)])
  }

  @Test("A job that does not grow hands its passes out in their order, as ever")
  func ordersOthers() {
    var (engagement, attempts) = Engagement.handedOut(4, to: [orion.slot()])
    _ = engagement.succeeded(attempts[0], adding: [TaskRange(pass: 1, sectors: 0..<1)])
    let next = engagement.slotsGranted(orion.slots(1...3), at: .at(1)).begun
    #expect(next.map(\.task) == [.sector(1), .sector(2), .sector(3)])
    let last = engagement.slotsGranted([orion.slot(4)], at: .at(1)).begun
    #expect(last.map(\.task) == [TaskID(pass: 1, sector: 0)])
  }

  @Test("The engagement ends only when no part is left and no task either, whichever comes last")
  func ends() throws {
    var engagement = Engagement.growing()
    _ = engagement.grew(by: 0..<1)
    var attempt = try #require(engagement.slotsGranted([orion.slot()], at: .at(0)).begun.first)
    #expect(!engagement.succeeded(attempt).contains(.finish), "a part may come")
    _ = engagement.grew(by: 1..<2, at: .at(100))
    attempt = try #require(engagement.slotsGranted([orion.slot()], at: .at(100)).begun.first)
    #expect(engagement.growthEnded(at: .at(101)).aboutTasks == [], "a task is in flight")
    #expect(engagement.succeeded(attempt, at: .at(102)).last == .finish)

    var other = Engagement.growing()
    #expect(other.growthEnded(at: .at(1)) == [.finish])
  }

  @Test("A part of which every task was given up by earlier processes does not end the engagement")
  func hopeless() {
    var engagement = Engagement.growing(settings: EngagementSettings(attempts: 1))
    var story = TaskStory()
    story.began()
    story.ended(.threw(), on: orion.id, named: orion.name)
    let actions = engagement.grew(by: 0..<1, stories: [.sector(0): story])
    #expect(actions == [.giveUp(.sector(0), story), .requestPart])
    #expect(engagement.growthEnded(at: .at(1)) == [.finish])
  }

  @Test("An interruption ends the engagement while the job makes its next part")
  func interruption() throws {
    var engagement = Engagement.growing()
    #expect(engagement.interrupted() == [.finish])
    #expect(engagement.grew(by: 0..<3) == [], "the part comes too late")
    #expect(engagement.growthEnded(at: .at(1)) == [])

    var other = Engagement.growing()
    _ = other.grew(by: 0..<2)
    let attempt = try #require(other.slotsGranted([orion.slot()], at: .at(0)).begun.first)
    #expect(other.interrupted() == [])
    #expect(other.grew(by: 2..<3) == [])
    #expect(!other.takesParts)
    #expect(other.succeeded(attempt).last == .finish)
  }

  @Test(
    "Parts that come after the end are passed over, and those that nobody asked for are refused")
  func illegal() {
    var engagement = Engagement.growing()
    _ = engagement.growthEnded(at: .at(0))
    #expect(engagement.grew(by: 0..<3) == [])
    #expect(engagement.growthEnded(at: .at(1)) == [])

    var (whole, _) = Engagement.handedOut(2, to: [orion.slot()])
    #expect(whole.grew(by: 2..<3).refused != nil)
    #expect(whole.growthEnded(at: .at(1)).refused != nil)
    #expect(whole.attemptsInFlight == 1)
  }

  @Test("A part that comes while the job has enough tasks, and was not asked, is refused")
  func notAsked() {
    var engagement = Engagement(settings: EngagementSettings())
    _ = engagement.began([TaskRange(sectors: 0..<9)], systems: 1, grows: true, at: .at(0))
    #expect(engagement.grew(by: 9..<12).refused != nil)
    #expect(engagement.growthEnded(at: .at(0)).refused != nil)
  }

  @Test("A suspect is tried alone once nothing else waits, though further parts may come")
  func suspects() throws {
    var engagement = Engagement.growing()
    _ = engagement.grew(by: 0..<1)
    var attempt = try #require(engagement.slotsGranted([orion.slot()], at: .at(0)).begun.first)
    _ = engagement.attemptEnded(attempt.id, .lostWhileRunning, at: .at(1))
    attempt = try #require(
      engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(1)).begun.first)
    let second = engagement.attemptEnded(attempt.id, .lostWhileRunning, at: .at(2))
    // The job makes its next part, which waits for the image that the suspect is in: nobody may wait for ever.
    let caution = second.compactMap { action in
      if case .requestSlot(_, _, let caution) = action { caution } else { nil }
    }
    #expect(caution == [.quarantine])
    // A part that comes meanwhile is handed out beside it.
    #expect(engagement.grew(by: 1..<3, at: .at(3)).contains(.requestSlots(upTo: 2)))
    #expect(engagement.slotsGranted([orion.slot(5)], at: .at(3)).begun.count == 1)
  }

  @Test("A straggler is hedged while the job makes its next part, and no longer when that has come")
  func stragglers() throws {
    var engagement = Engagement.growing()
    _ = engagement.grew(by: 0..<2)
    let attempts = engagement.slotsGranted(orion.slots(1...2), at: .at(0)).begun
    for attempt in attempts { _ = engagement.attemptStarted(attempt.id, at: .at(0)) }
    _ = engagement.succeeded(attempts[0], at: .at(1))
    let late = engagement.woke(at: .at(10))
    #expect(late.idleSlotRequests == [[orion.id]])
    #expect(engagement.grew(by: 2..<9, at: .at(10)).contains(.withdrawIdleSlot))
    #expect(engagement.idleSlotGranted(vega.slot(), at: .at(10)).refused != nil)
  }
}

@Suite("A growing engagement without systems")
struct GrowthWithoutSystemsTests {
  let orion = TestSystem("orion")
  let settings = EngagementSettings(
    attempts: 5, firstSystemTimeout: .seconds(10), noSystemTimeout: .seconds(60))

  @Test("The first system is waited for even before the first part has come")
  func first() {
    var engagement = Engagement(settings: settings)
    let begin = engagement.began([], systems: 0, grows: true, at: .at(0))
    #expect(begin == [.requestPart, .wake(at: .at(10))])
    #expect(engagement.woke(at: .at(10)) == [.noSystem])
    #expect(engagement.grew(by: 0..<1, at: .at(11)) == [])
  }

  @Test("While nothing is to be scanned, systems come and go; the wait counts from the next part")
  func idle() {
    var engagement = Engagement.growing(settings: settings)
    #expect(engagement.systemsChanged(to: 0, at: .at(10)) == [], "nobody is waited for")
    #expect(engagement.woke(at: .at(500)) == [])
    let grown = engagement.grew(by: 0..<2, at: .at(1000))
    #expect(grown.contains(.waitForSystem(until: .at(1060))), "people are told")
    #expect(grown.contains(.wake(at: .at(1060))))
    #expect(engagement.woke(at: .at(1059)).aboutTasks == [])
    let end = engagement.woke(at: .at(1060))
    #expect(end.abandoned == [.sector(0), .sector(1)])
    #expect(end.last == .finish)
    #expect(engagement.grew(by: 2..<3, at: .at(1061)) == [], "further parts would find none either")
  }

  @Test("A system that comes in time takes the part that waited")
  func comes() {
    var engagement = Engagement.growing(settings: settings)
    _ = engagement.systemsChanged(to: 0, at: .at(10))
    _ = engagement.grew(by: 0..<2, at: .at(1000))
    _ = engagement.systemsChanged(to: 1, at: .at(1050))
    #expect(engagement.woke(at: .at(1060)).aboutTasks == [])
    #expect(engagement.slotsGranted(orion.slots(1...2), at: .at(1060)).begun.count == 2)
  }

  @Test("A part that comes while tasks wait for a system does not prolong the wait")
  func noLonger() {
    var engagement = Engagement.growing(settings: settings)
    _ = engagement.grew(by: 0..<1, at: .at(1))
    #expect(
      engagement.systemsChanged(to: 0, at: .at(10)).contains(.waitForSystem(until: .at(70))))
    #expect(!engagement.grew(by: 1..<2, at: .at(50)).contains { $0.isWait })
    #expect(engagement.woke(at: .at(70)).abandoned == [.sector(0), .sector(1)])
  }

  @Test("A scan that goes on where a system leaves does not end the growth: nothing waits")
  func leaving() throws {
    var engagement = Engagement.growing(settings: settings)
    _ = engagement.grew(by: 0..<1, at: .at(1))
    let attempt = try #require(engagement.slotsGranted([orion.slot()], at: .at(1)).begun.first)
    _ = engagement.systemsChanged(to: 0, at: .at(2))
    #expect(engagement.woke(at: .at(62)).aboutTasks == [])
    #expect(engagement.takesParts, "what is not scanned would be lost without a word")
    #expect(!engagement.succeeded(attempt, at: .at(70)).contains(.finish))
    _ = engagement.systemsChanged(to: 1, at: .at(71))
    #expect(engagement.grew(by: 1..<2, at: .at(72)).contains(.requestSlots(upTo: 1)))
  }
}

extension EngagementAction {
  fileprivate var isWait: Bool { if case .waitForSystem = self { true } else { false } }
}

@Suite("The open parts of a growing job")
struct OpenPartsTests {
  private func part(_ number: Int, _ sectors: Range<Int>) -> JobPart {
    JobPart(number: number, sectors: sectors, name: "image \(number)")
  }

  @Test("A part is over with its last task, of whatever pass, and others go on")
  func ends() {
    var open = OpenParts()
    let (one, two) = (part(0, 0..<2), part(1, 2..<3))
    open.began(one)
    open.added([TaskRange(sectors: 0..<2)])
    open.began(two)
    open.added([TaskRange(sectors: 2..<3)])
    #expect(open.name(of: 1) == "image 0")
    #expect(open.name(of: 2) == "image 1")
    #expect(open.name(of: 3) == nil)
    #expect(open.ended(TaskID(sector: 0)) == nil)
    open.added([TaskRange(pass: 1, sectors: 0..<1), TaskRange(pass: 1, sectors: 1..<2)])
    #expect(open.ended(TaskID(sector: 1)) == nil, "two tasks have followed")
    #expect(open.ended(TaskID(sector: 2)) == two)
    open.ended(two)
    #expect(open.name(of: 2) == nil)
    #expect(open.ended(TaskID(pass: 1, sector: 1)) == nil)
    #expect(open.ended(TaskID(pass: 1, sector: 0)) == one)
  }

  @Test("Ranges without tasks count nothing, wherever they stand")
  func empty() {
    var open = OpenParts()
    open.began(part(0, 4..<6))
    open.added([TaskRange(sectors: 4..<4), TaskRange(sectors: 4..<6)])
    #expect(open.ended(TaskID(sector: 4)) == nil)
    #expect(open.ended(TaskID(sector: 5))?.number == 0)
  }

  @Test("A task of no open part ends none")
  func others() {
    var open = OpenParts()
    open.began(part(0, 0..<1))
    open.added([])
    open.added([TaskRange(sectors: 7..<9)])
    #expect(open.ended(TaskID(sector: 7)) == nil)
  }
}
