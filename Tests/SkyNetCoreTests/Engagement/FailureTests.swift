import Testing

@testable import SkyNetCore

@Suite("Failed attempts")
struct FailureTests {
  let orion = TestSystem("orion")
  let vega = TestSystem("vega")
  let lyra = TestSystem("lyra")

  @Test("A failed task is retried elsewhere, before fresh tasks")
  func retry() throws {
    var (engagement, attempts) = Engagement.handedOut(10, to: [orion.slot()])
    let actions = engagement.attemptEnded(attempts[0].id, .threw("too dark"), at: .at(1))
    #expect(
      actions.aboutTasks == [
        .rerun(.sector(0), FailedAttempt(system: "orion", reason: "too dark")),
        .requestSlot(for: .sector(0), avoiding: [orion.id]),
      ])
    let retried = engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(1))
    let attempt = try #require(retried.begun.first)
    #expect(attempt.task == .sector(0))
    #expect(attempt.ordinal == 2)
    #expect(attempt.id != attempts[0].id)
    #expect(
      engagement.attemptEnded(attempt.id, .succeeded(seconds: 3), at: .at(2)).aboutTasks
        == [.accept(attempt, attempts: 2, seconds: 3)])
  }

  /// Failures on purpose follow from the number of an attempt. So they are the same whichever
  /// systems come and go.
  @Test("An attempt's number counts failures, and not losses or hand-backs")
  func numbers() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    var attempt = attempts[0]
    var numbers = [attempt.scanAttempt.number]
    // After a loss while it ran, the task goes to a system that has not died.
    let ends: [(outcome: AttemptOutcome, next: TestSystem)] = [
      (.lostWhileQueued, vega), (.threw("too dark"), vega), (.handedBack, vega),
      (.lostWhileRunning, lyra), (.threw("too bright"), lyra),
    ]
    for (outcome, next) in ends {
      _ = engagement.attemptEnded(attempt.id, outcome, at: .at(1))
      let granted = engagement.slotGranted(next.slot(), for: .sector(0), at: .at(1))
      attempt = try #require(granted.begun.first)
      numbers.append(attempt.scanAttempt.number)
    }
    #expect(numbers == [1, 1, 2, 2, 2, 3])
    #expect(attempt.ordinal == 6 && !attempt.scanAttempt.isHedge)
  }

  @Test("A retry avoids the systems on which the task failed, each once and the last one last")
  func avoiding() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    var attempt = attempts[0]
    let expected = [[orion.id], [orion.id, vega.id], [vega.id, orion.id]]
    for (next, avoided) in zip([vega, orion, lyra], expected) {
      let actions = engagement.attemptEnded(attempt.id, .threw(), at: .at(1))
      #expect(actions.avoided == [avoided])
      let granted = engagement.slotGranted(next.slot(), for: attempt.task, at: .at(1))
      attempt = try #require(granted.begun.first)
    }
  }

  @Test("A task that fails five times is given up, with every reason")
  func attemptsLimit() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    var attempt = attempts[0]
    for ordinal in 1...4 {
      #expect(attempt.ordinal == ordinal)
      _ = engagement.attemptEnded(attempt.id, .threw("\(ordinal)", seconds: 1), at: .at(0))
      let granted = engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(0))
      attempt = try #require(granted.begun.first)
    }
    let actions = engagement.attemptEnded(attempt.id, .threw("5", seconds: 7), at: .at(0))
    let story = try #require(actions.stories.first)
    #expect(actions.aboutTasks == [.giveUp(.sector(0), story), .finish])
    #expect(story.attempts == 5)
    #expect(story.seconds == 7)
    #expect(story.failures.map(\.reason) == ["1", "2", "3", "4", "5"])
    #expect(story.failures.map(\.system) == ["orion", "vega", "vega", "vega", "vega"])
  }

  @Test("A task that no other attempt would mend is given up after one, with its reason")
  func unmendable() throws {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    let actions = engagement.attemptEnded(attempts[0].id, .unmendable, at: .at(1))
    let story = try #require(actions.stories.first)
    #expect(actions.aboutTasks == [.giveUp(.sector(0), story)])
    #expect(actions.endings == [.unmendable])
    #expect(story.attempts == 1)
    #expect(
      story.failures == [
        FailedAttempt(system: "orion", code: .unmendable, reason: "column 7 is missing")
      ])
    let last = engagement.attemptEnded(attempts[1].id, .unmendable, at: .at(1))
    #expect(last.givenUp == [.sector(1)] && last.last == .finish)
  }

  @Test(
    "A task has a ceiling of attempts whatever they ended with, but for those that found no room",
    arguments: [
      .lostWhileQueued, .handedBack, .withdrawn(reason: "called back"),
      .withdrawn(reason: "no memory", code: .full),
    ] as [AttemptOutcome])
  func ceiling(outcome: AttemptOutcome) throws {
    let settings = EngagementSettings(attempts: 2)
    var (engagement, begun) = Engagement.handedOut(1, to: [orion.slot()], settings: settings)
    for number in 1...1000 {
      let attempt = try #require(begun.first)
      let actions = engagement.attemptEnded(attempt.id, outcome, at: .at(Double(number)))
      if let story = actions.stories.first {
        #expect(number == 400 && story.attempts == 400)
        #expect(story.failures.last?.reason == "no task is tried more than 400 times")
        #expect(actions.last == .finish)
        return
      }
      begun = engagement.slotGranted(orion.slot(), for: .sector(0), at: .at(Double(number))).begun
    }
    #expect(outcome == .withdrawn(reason: "no memory", code: .full))
  }

  @Test("A failure that a node calls beyond mending is one, and no other is")
  func mendable() {
    for fault in [CallFailure.Fault.task, .system, .cancelled, .unmendable] {
      let outcome = AttemptOutcome(CallFailure(fault, "no stars"))
      #expect(outcome.isUnmendable == (fault == .unmendable))
    }
    #expect(!AttemptOutcome.refused(reason: "no stars").isUnmendable)
  }

  @Test("A task whose systems are lost before it runs is never given up")
  func lostSystems() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    let actions = engagement.fail(attempts[0], times: 50, on: vega, .lostWhileQueued)
    #expect(actions.avoided.count == 1)
  }

  @Test("A task that was lost before it ran is handed out again without counting as a re-run")
  func lostBeforeItRan() {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    let queued = engagement.attemptEnded(attempts[0].id, .lostWhileQueued, at: .at(1))
    #expect(queued.aboutTasks == [.requestSlot(for: .sector(0), avoiding: [orion.id])])
    let running = engagement.attemptEnded(attempts[1].id, .lostWhileRunning, at: .at(1))
    #expect(running.aboutTasks.contains { if case .rerun = $0 { true } else { false } })
  }

  @Test("A task that is handed back is never given up")
  func handedBack() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    let actions = engagement.fail(attempts[0], times: 50, on: vega, .handedBack)
    #expect(actions.avoided.count == 1)
  }

  @Test("A task that ran on three systems when they were lost is taken for the cause")
  func poison() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    let second = engagement.fail(attempts[0], times: 2, on: vega, .lostWhileRunning)
    #expect(second.avoided == [[orion.id, vega.id]])
    let granted = engagement.slotGranted(lyra.slot(), for: .sector(0), at: .at(0))
    let attempt = try #require(granted.begun.first)
    let third = engagement.attemptEnded(attempt.id, .lostWhileRunning, at: .at(0))
    #expect(third.givenUp == [.sector(0)])
    #expect(third.stories.first?.failures.count == 3)
    #expect(third.last == .finish)
  }

  @Test("Deaths and failures are counted separately")
  func countedApart() throws {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    _ = engagement.fail(attempts[0], times: 4, on: vega, .threw())
    let granted = engagement.slotGranted(vega.slot(), for: .sector(0), at: .at(0))
    let fifth = try #require(granted.begun.first)
    let actions = engagement.fail(fifth, times: 2, on: lyra, .lostWhileRunning)
    #expect(actions.givenUp == [])
    #expect(actions.avoided.count == 1)
  }

  @Test("The answer of an attempt that has ended changes nothing")
  func lateAnswers() {
    var (engagement, attempts) = Engagement.handedOut(2, to: orion.slots(1...2))
    #expect(!engagement.attemptEnded(attempts[0].id, .threw(), at: .at(0)).isEmpty)
    #expect(engagement.attemptEnded(attempts[0].id, .succeeded(seconds: 1), at: .at(0)) == [])
    #expect(!engagement.attemptEnded(attempts[1].id, .succeeded(seconds: 1), at: .at(0)).isEmpty)
    #expect(engagement.attemptEnded(attempts[1].id, .succeeded(seconds: 1), at: .at(0)) == [])
    #expect(engagement.attemptStarted(attempts[0].id, at: .at(0)) == [])
  }

  @Test("A slot for a task that does not wait for one is refused")
  func needlessSlot() {
    var (engagement, attempts) = Engagement.handedOut(1, to: [orion.slot()])
    let actions = engagement.slotGranted(vega.slot(), for: attempts[0].task, at: .at(0))
    #expect(actions.refused?.story == ["\(attempts[0].task): attempt 1 began"])
  }
}
