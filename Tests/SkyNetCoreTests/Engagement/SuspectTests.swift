import Testing

@testable import SkyNetCore

@Suite("Tasks that may kill systems")
struct SuspectTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let own = TestSystem("local")

  /// All of these tasks ran on two systems that were lost; another still runs on vega.
  private func suspects(_ count: Int) throws -> (Engagement, [TaskID], Attempt) {
    var engagement = Engagement(settings: EngagementSettings())
    let tasks = [TaskRange(sectors: 0..<count + 1)]
    _ = engagement.began(tasks, systems: 2, ownSystem: own.id, at: .at(0))
    let slots = orion.slots(1...UInt64(count)) + [vega.slot(99)]
    let attempts = engagement.slotsGranted(slots, at: .at(0)).begun
    for attempt in attempts.dropLast() {
      _ = engagement.fail(attempt, times: 2, on: orion, .lostWhileRunning)
    }
    return (engagement, attempts.dropLast().map(\.task), try #require(attempts.last))
  }

  @Test("At the second death a task waits until nothing else is under way")
  func waitsForOthers() throws {
    var (engagement, tasks, other) = try suspects(2)
    #expect(engagement.attemptEnded(other.id, .threw(), at: .at(1)).avoided == [[vega.id]])
    let retried = engagement.slotGranted(vega.slot(100), for: other.task, at: .at(1))
    let again = try #require(retried.begun.first)
    let last = engagement.attemptEnded(again.id, .succeeded(seconds: 1), at: .at(2))
    #expect(last.avoided == [], "its output may add tasks")
    let asked = engagement.received([])
    #expect(asked == [.requestSlot(for: tasks[0], avoiding: [orion.id, own.id])])
  }

  @Test("They go one at a time, the own system last; the third death is the end of one only")
  func oneAtATime() throws {
    var (engagement, tasks, other) = try suspects(3)
    _ = engagement.attemptEnded(other.id, .succeeded(seconds: 1), at: .at(1))
    _ = engagement.received([])
    var actions = engagement.slotGranted(vega.slot(1), for: tasks[0], at: .at(2))
    #expect(actions.avoided == [])
    let killer = try #require(actions.begun.first)
    actions = engagement.attemptEnded(killer.id, .lostWhileRunning, at: .at(3))
    #expect(actions.givenUp == [tasks[0]])
    #expect(actions.avoided == [[orion.id, own.id]])
    for task in tasks.dropFirst() {
      let granted = engagement.slotGranted(vega.slot(2), for: task, at: .at(4))
      let innocent = try #require(granted.begun.first)
      actions = engagement.attemptEnded(innocent.id, .succeeded(seconds: 1), at: .at(5))
      #expect(actions.givenUp == [])
      actions = engagement.received([])
    }
    #expect(actions == [.finish])
  }

  @Test("A suspect that only waits is left there: what it waits for may be dead of it")
  func notCalledBack() throws {
    var (engagement, tasks, other) = try suspects(1)
    _ = engagement.attemptEnded(other.id, .succeeded(seconds: 1), at: .at(1))
    _ = engagement.received([])
    _ = engagement.slotGranted(vega.slot(1), for: tasks[0], at: .at(2))
    _ = engagement.woke(at: .at(3))
    #expect(engagement.idleSlotGranted(own.slot(), at: .at(3)).begun == [])
  }

  @Test("Without systems, suspects are left undone and not given up")
  func abandoned() throws {
    var (engagement, tasks, other) = try suspects(2)
    _ = engagement.attemptEnded(other.id, .lostWhileRunning, at: .at(1))
    _ = engagement.systemsChanged(to: 0, at: .at(1))
    let actions = engagement.woke(at: .at(61))
    #expect(actions.abandoned == tasks + [other.task])
    #expect(actions.givenUp == [])
    #expect(actions.last == .finish)
  }
}

@Suite("Going on from an earlier process")
struct ResumeTests {
  let orion = TestSystem("orion")
  let own = TestSystem("local")

  private func story(deaths: Int) -> TaskStory {
    var story = TaskStory()
    for _ in 0..<deaths {
      story.began()
      story.ended(
        .lost(reason: "gone", hadStarted: true), on: orion.id, named: "orion")
    }
    return story
  }

  @Test("A task with three deaths is given up at once, one with two waits for the others")
  func stories() {
    var engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(1): story(deaths: 3), .sector(2): story(deaths: 2)]
    let tasks = [TaskRange(sectors: 0..<4)]
    let actions = engagement.began(tasks, stories: stories, systems: 1, at: .at(0))
    #expect(actions.givenUp == [.sector(1)])
    #expect(actions.contains(.requestSlots(upTo: 2)))
    let begun = engagement.slotsGranted(orion.slots(1...2), at: .at(0)).begun
    #expect(begun.map(\.task) == [.sector(0), .sector(3)])
    for attempt in begun {
      _ = engagement.attemptEnded(attempt.id, .succeeded(seconds: 1), at: .at(1))
    }
    #expect(engagement.received([]) == [])
    #expect(engagement.received([]).avoided == [[orion.id]])
  }

  @Test("Where systems die anyway, three deaths may be bad luck, and twice as many are not")
  func badLuck() {
    var engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(1): story(deaths: 5), .sector(2): story(deaths: 6)]
    // 100 of 1000 attempts were lost with others: 0.01 tasks met with five deaths by chance.
    let few = Losses(attempts: 1000, bySystem: [Incarnation(): 60, Incarnation(): 40])
    var actions = engagement.began(
      [TaskRange(sectors: 0..<4)], stories: stories, losses: few, systems: 1, at: .at(0))
    #expect(actions.givenUp.sorted() == [.sector(1), .sector(2)])
    // 300 of 1000: 2.4 tasks did.
    engagement = Engagement(settings: EngagementSettings())
    let many = Losses(attempts: 1000, bySystem: [Incarnation(): 300])
    actions = engagement.began(
      [TaskRange(sectors: 0..<4)], stories: stories, losses: many, systems: 1, at: .at(0))
    #expect(actions.givenUp == [.sector(2)])
  }

  @Test("How many innocents met with so many deaths is told by what others met with")
  func losses() {
    let (one, other) = (Incarnation(), Incarnation())
    let losses = Losses(attempts: 1000, bySystem: [one: 100, other: 50])
    #expect(abs(losses.innocents(atDeaths: 3, on: []) - 1000 * 0.15 * 0.15 * 0.15) < 1e-9)
    #expect(abs(losses.innocents(atDeaths: 3, on: [one, one]) - 1000 * 0.05 * 0.05 * 0.05) < 1e-9)
    #expect(losses.innocents(atDeaths: 3, on: [one, other]) == 0)
    #expect(Losses().innocents(atDeaths: 3, on: []) == 0)
  }

  @Test("What ran when the engaging process died goes first, and anywhere else before there")
  func ownDeaths() {
    var engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(0): story(deaths: 1)]
    let actions = engagement.began(
      [TaskRange(sectors: 0..<1)], stories: stories, systems: 1, ownSystem: own.id, at: .at(0))
    #expect(actions.aboutTasks == [.requestSlot(for: .sector(0), avoiding: [orion.id, own.id])])
  }

  @Test("A system that is seen again as the same process did not die of anything")
  func forgiven() {
    var engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(0): story(deaths: 2)]
    _ = engagement.began([TaskRange(sectors: 0..<1)], stories: stories, systems: 1, at: .at(0))
    #expect(engagement.systemJoined(orion.id) == [.forgive(.sector(0), orion.id)])
    #expect(engagement.systemJoined(orion.id) == [])
    let begun = engagement.slotGranted(own.slot(), for: .sector(0), at: .at(0)).begun
    let lost = AttemptOutcome.lost(reason: "gone", hadStarted: true)
    let actions = begun.flatMap { engagement.attemptEnded($0.id, lost, at: .at(1)) }
    #expect(actions.givenUp == [], "this was the first death")
  }

  @Test("Attempts are counted on from the earlier ones")
  func ordinals() throws {
    var engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(0): story(deaths: 1)]
    _ = engagement.began([TaskRange(sectors: 0..<1)], stories: stories, systems: 1, at: .at(0))
    let begun = engagement.slotGranted(orion.slot(), for: .sector(0), at: .at(0)).begun
    #expect(begun.map(\.ordinal) == [2])
    let attempt = try #require(begun.first)
    let actions = engagement.attemptEnded(attempt.id, .succeeded(seconds: 1), at: .at(1))
    #expect(actions.contains(.accept(attempt, attempts: 2, seconds: 1)))
  }

  @Test("With everything done, or given up, it finishes at once")
  func nothingLeft() {
    var engagement = Engagement(settings: EngagementSettings())
    #expect(engagement.began([], systems: 0, at: .at(0)).aboutTasks == [.finish])
    engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(0): story(deaths: 3)]
    let actions = engagement.began(
      [TaskRange(sectors: 0..<1)], stories: stories, systems: 0, at: .at(0))
    #expect(actions.givenUp == [.sector(0)])
    #expect(actions.aboutTasks.last == .finish)
  }
}
