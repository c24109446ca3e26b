import Testing

@testable import SkyNetCore

@Suite("Poison tasks")
struct PoisonTaskTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let lyra = TestSystem("lyra")
  let own = TestSystem("local")

  /// An engagement with this many suspects, which ran on two lost systems and for which quarantines
  /// are requested. Another task still runs on vega.
  private func suspects(_ count: Int) throws -> (Engagement, [TaskID], Attempt) {
    var engagement = Engagement(settings: EngagementSettings())
    let tasks = [TaskRange(sectors: 0..<count + 1)]
    _ = engagement.began(tasks, systems: 2, ownSystem: own.id, at: .at(0))
    let slots = orion.slots(1...UInt64(count)) + [vega.slot(99)]
    let attempts = engagement.slotsGranted(slots, at: .at(0)).begun
    for attempt in attempts.dropLast() {
      _ = engagement.fail(attempt, times: 2, on: lyra, .lostWhileRunning)
    }
    return (engagement, attempts.dropLast().map(\.task), try #require(attempts.last))
  }

  private func quarantine(
    _ task: TaskID, _ caution: SlotRequest.Caution
  ) -> EngagementAction {
    .requestSlot(for: task, avoiding: [orion.id, lyra.id, own.id], caution: caution)
  }

  @Test("After two deaths a task waits until all others are handed out, and then runs alone")
  func waitsForOthers() throws {
    var engagement = Engagement(settings: EngagementSettings())
    let tasks = [TaskRange(sectors: 0..<3)]
    _ = engagement.began(tasks, systems: 2, ownSystem: own.id, at: .at(0))
    let granted = engagement.slotsGranted(orion.slots(1...1), at: .at(0))
    let suspect = try #require(granted.begun.first)
    let actions = engagement.fail(suspect, times: 2, on: lyra, .lostWhileRunning)
    #expect(actions.avoided == [], "two tasks are not handed out yet")
    let rest = engagement.slotsGranted(vega.slots(1...2), at: .at(1))
    #expect(rest.begun.count == 2)
    #expect(rest.contains(quarantine(suspect.task, .remoteQuarantine)), "other systems go on")
  }

  @Test("A suspect runs on the local system only when no other work is left")
  func ownSystemLast() throws {
    var (engagement, tasks, other) = try suspects(2)
    #expect(engagement.attemptEnded(other.id, .threw(), at: .at(1)).avoided == [[vega.id]])
    let retried = engagement.slotGranted(vega.slot(100), for: other.task, at: .at(1))
    let again = try #require(retried.begun.first)
    let last = engagement.attemptEnded(again.id, .succeeded(seconds: 1), at: .at(2))
    #expect(last.avoided == [], "the output may add tasks")
    #expect(engagement.received([]) == [quarantine(tasks[0], .quarantine)], "one suspect at a time")
    let granted = engagement.slotGranted(own.slot(), for: tasks[0], at: .at(3))
    let alone = try #require(granted.begun.first)
    #expect(granted.avoided == [])
    _ = engagement.attemptEnded(alone.id, .succeeded(seconds: 1), at: .at(4))
    #expect(engagement.received([]) == [quarantine(tasks[1], .quarantine)])
  }

  @Test("Suspects run at the same time, and a third death ends the one that ran there")
  func eachAlone() throws {
    var (engagement, tasks, other) = try suspects(3)
    _ = engagement.attemptEnded(other.id, .succeeded(seconds: 1), at: .at(1))
    _ = engagement.received([])
    let cygnus = TestSystem("cygnus")
    let killer = engagement.slotGranted(vega.slot(1), for: tasks[0], at: .at(2)).begun
    let innocent = engagement.slotGranted(cygnus.slot(1), for: tasks[1], at: .at(2)).begun
    var actions = engagement.attemptEnded(killer[0].id, .lostWhileRunning, at: .at(3))
    #expect(actions.givenUp == [tasks[0]])
    actions = engagement.attemptEnded(innocent[0].id, .succeeded(seconds: 1), at: .at(4))
    #expect(actions.givenUp == [])
    #expect(engagement.received([]) == [quarantine(tasks[2], .quarantine)])
    let last = engagement.slotGranted(cygnus.slot(2), for: tasks[2], at: .at(5)).begun
    _ = engagement.attemptEnded(last[0].id, .succeeded(seconds: 1), at: .at(6))
    #expect(engagement.received([]) == [.finish])
  }

  @Test("A task whose systems their place killed is a suspect no more, and is retried as usual")
  func killedByPlace() throws {
    var (engagement, tasks, _) = try suspects(2)
    let (next, killed) = (TestSystem("orion"), [orion.id, lyra.id])
    let actions = engagement.systemJoined(next.id, afterPlaceKilled: killed)
    #expect(
      actions
        == tasks.flatMap {
          [
            EngagementAction.forgive($0, orion.id), .forgive($0, lyra.id),
            .requestSlot(for: $0, avoiding: killed),
          ]
        })
    #expect(engagement.systemJoined(next.id, afterPlaceKilled: killed) == [])
    let begun = engagement.slotGranted(own.slot(), for: tasks[0], at: .at(1)).begun
    let lost = engagement.attemptEnded(begun[0].id, .lostWhileRunning, at: .at(2))
    #expect(lost.givenUp == [], "this was the first death")
  }

  @Test("A slot on a system that was lost with the task shows that it is alive")
  func alive() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: orion.slots(1...1))
    engagement.ownSystem = own.id
    let lost = engagement.attemptEnded(attempts[0].id, .lostWhileRunning, at: .at(1))
    #expect(
      lost.contains(
        .requestSlot(for: .sector(0), avoiding: [orion.id, own.id], caution: .sparesLocal)))
    let back = orion.slot(2)
    let actions = engagement.slotGranted(back, for: .sector(0), at: .at(2))
    #expect(
      actions == [
        .release(back), .forgive(.sector(0), orion.id),
        .requestSlot(for: .sector(0), avoiding: [orion.id]),
      ])
    let again = engagement.slotGranted(back, for: .sector(0), at: .at(2))
    #expect(again.begun.count == 1, "orion is the only system")
  }

  @Test("When a system proves to be alive, its death is removed from the stories of all tasks")
  func aliveForOthers() throws {
    var engagement = Engagement(settings: EngagementSettings())
    // With so many losses, three deaths may be bad luck.
    let losses = Losses(attempts: 1000, bySystem: [Incarnation(): 300])
    func story(_ systems: [TestSystem]) -> TaskStory {
      var story = TaskStory()
      for system in systems {
        story.began()
        story.ended(
          .lost(reason: "gone", hadStarted: true), on: system.id, named: system.name)
      }
      return story
    }
    let stories = [
      TaskID.sector(0): story([orion, lyra, vega]), .sector(1): story([orion, lyra]),
    ]
    _ = engagement.began(
      [TaskRange(sectors: 0..<2)], stories: stories, losses: losses, systems: 2, at: .at(0))
    let actions = engagement.slotGranted(orion.slot(), for: .sector(0), at: .at(1))
    #expect(
      actions.begun.map(\.task) == [.sector(0)], "with two deaths the task is still a suspect")
    #expect(
      actions.aboutTasks.prefix(3) == [
        .forgive(.sector(0), orion.id), .forgive(.sector(1), orion.id),
        .requestSlot(for: .sector(1), avoiding: [orion.id, lyra.id], caution: .sparesLocal),
      ])
  }

  @Test("A task that was spared for the sake of other losses is given up once these are none")
  func sparedNoMore() throws {
    var engagement = Engagement(settings: EngagementSettings())
    let cygnus = TestSystem("cygnus")
    var story = TaskStory()
    for system in [orion, lyra, vega] {
      story.began()
      story.ended(.lostWhileRunning, on: system.id, named: system.name)
    }
    let losses = Losses(attempts: 10, bySystem: [cygnus.id: 5])
    let began = engagement.began(
      [TaskRange(sectors: 0..<1)], stories: [.sector(0): story], losses: losses, systems: 1,
      at: .at(0))
    #expect(began.givenUp == [], "five of ten attempts were lost, so it may have been bad luck")
    #expect(began.avoided.count == 1)
    let actions = engagement.systemJoined(cygnus.id)
    #expect(actions.aboutTasks == [.giveUp(.sector(0), story), .finish], "cygnus had not died")
    let late = cygnus.slot()
    #expect(engagement.slotGranted(late, for: .sector(0), at: .at(1)) == [.release(late)])
  }

  @Test("A waiting suspect is not stolen, as its system may have died of it")
  func notStolen() throws {
    var (engagement, tasks, other) = try suspects(1)
    _ = engagement.attemptEnded(other.id, .succeeded(seconds: 1), at: .at(1))
    _ = engagement.received([])
    _ = engagement.slotGranted(vega.slot(1), for: tasks[0], at: .at(2))
    _ = engagement.woke(at: .at(3))
    #expect(engagement.idleSlotGranted(own.slot(), at: .at(3)).begun == [])
  }

  @Test("Without systems, suspects are abandoned and not given up")
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

@Suite("Resuming the work of an earlier process")
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

  @Test("A task with three deaths is given up at once, and one with two waits for the others")
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
    let alone = engagement.received([])
    #expect(
      alone == [.requestSlot(for: .sector(2), avoiding: [orion.id], caution: .quarantine)])
  }

  @Test("Where systems die often, three deaths may be bad luck, but six are not")
  func badLuck() {
    var engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(1): story(deaths: 5), .sector(2): story(deaths: 6)]
    // 100 of 1000 attempts were lost with others, so 0.01 tasks meet five deaths by chance.
    let few = Losses(attempts: 1000, bySystem: [Incarnation(): 60, Incarnation(): 40])
    var actions = engagement.began(
      [TaskRange(sectors: 0..<4)], stories: stories, losses: few, systems: 1, at: .at(0))
    #expect(actions.givenUp.sorted() == [.sector(1), .sector(2)])
    // With 300 of 1000 it is 2.4 tasks.
    engagement = Engagement(settings: EngagementSettings())
    let many = Losses(attempts: 1000, bySystem: [Incarnation(): 300])
    actions = engagement.began(
      [TaskRange(sectors: 0..<4)], stories: stories, losses: many, systems: 1, at: .at(0))
    #expect(actions.givenUp == [.sector(2)])
  }

  @Test("The losses of other tasks give the expected number of innocent tasks")
  func losses() {
    let (first, second) = (Incarnation(), Incarnation())
    let losses = Losses(attempts: 1000, bySystem: [first: 100, second: 50])
    #expect(abs(losses.innocents(atDeaths: 3, on: []) - 1000 * 0.15 * 0.15 * 0.15) < 1e-9)
    #expect(
      abs(losses.innocents(atDeaths: 3, on: [first, first]) - 1000 * 0.05 * 0.05 * 0.05) < 1e-9)
    #expect(losses.innocents(atDeaths: 3, on: [first, second]) == 0)
    #expect(Losses().innocents(atDeaths: 3, on: []) == 0)
  }

  @Test("A task that ran when the engaging process died goes first, and elsewhere if possible")
  func ownDeaths() {
    var engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(0): story(deaths: 1)]
    let actions = engagement.began(
      [TaskRange(sectors: 0..<1)], stories: stories, systems: 1, ownSystem: own.id, at: .at(0))
    #expect(
      actions.aboutTasks == [
        .requestSlot(for: .sector(0), avoiding: [orion.id, own.id], caution: .sparesLocal)
      ])
  }

  @Test("A system that reconnects as the same process did not die")
  func forgiven() {
    var engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(0): story(deaths: 2)]
    _ = engagement.began([TaskRange(sectors: 0..<1)], stories: stories, systems: 1, at: .at(0))
    #expect(
      engagement.systemJoined(orion.id) == [
        .forgive(.sector(0), orion.id), .requestSlot(for: .sector(0), avoiding: [orion.id]),
      ])
    #expect(engagement.systemJoined(orion.id) == [])
    let begun = engagement.slotGranted(own.slot(), for: .sector(0), at: .at(0)).begun
    let lost = AttemptOutcome.lost(reason: "gone", hadStarted: true)
    let actions = begun.flatMap { engagement.attemptEnded($0.id, lost, at: .at(1)) }
    #expect(actions.givenUp == [], "this was the first death")
  }

  @Test("Attempts are numbered on from those of the earlier process")
  func ordinals() throws {
    var engagement = Engagement(settings: EngagementSettings())
    let stories = [TaskID.sector(0): story(deaths: 1)]
    _ = engagement.began([TaskRange(sectors: 0..<1)], stories: stories, systems: 1, at: .at(0))
    let begun = engagement.slotGranted(own.slot(), for: .sector(0), at: .at(0)).begun
    #expect(begun.map(\.ordinal) == [2])
    let attempt = try #require(begun.first)
    let actions = engagement.attemptEnded(attempt.id, .succeeded(seconds: 1), at: .at(1))
    #expect(actions.contains(.accept(attempt, attempts: 2, seconds: 1)))
  }

  @Test("An engagement with every task done or given up finishes at once")
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
