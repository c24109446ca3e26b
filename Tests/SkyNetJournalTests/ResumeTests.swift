import SkyNetCluster
import Testing

@testable import SkyNetCore
@testable import SkyNetJournal

/// A process reads the work of earlier processes from a journal.
@Suite("Resuming from a journal", .timeLimit(.minutes(20)))
struct ResumeTests {
  @Test("A new journal has no past tasks")
  func aNewJournalHasNoPast() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    #expect(try await journal.all().isEmpty)
    #expect(journal.progress == JournalProgress.new(sectors: 10))
    await journal.close()
  }

  @Test("Committed entries survive the death of the process")
  func committedEntriesSurviveADeath() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    for sector in [3, 1, 7] { journal.scanned(attempts.next(sector, isLocal: sector != 1)) }
    try await journal.commit()
    journal.scanned(attempts.next(9))

    let second = try await folder.afterDeath().open()
    let past = try await second.all()
    #expect(past.map(\.id.sector) == [1, 3, 7])
    #expect(past.map(\.output) == ["out 1", "out 3", "out 7"])
    #expect(past.allSatisfy { $0.story.attempts == 1 })
    guard case .accepted(_, let system, let seconds) = past[0].end else { return }
    #expect(system == "a" && seconds == 0.5)
    #expect(second.progress.done == 3 && second.progress.isResumed)
    await second.close()
    await journal.close()
  }

  @Test("When what is done, or given up, began is known to later processes")
  func beginnings() async throws {
    let folder = try Folder()
    let first = try await folder.open()
    var attempts = Attempts()
    first.scanned(attempts.next(3))
    let failing = attempts.next(5)
    first.began(failing)
    first.record(.ended(failing, .failed(reason: "bad luck", seconds: 1)))
    first.record(.gaveUp(failing.task, TaskStory()))
    first.began(attempts.next(7))
    await first.close()
    let second = try await folder.open()
    second.scanned(attempts.next(1))
    try await second.commit()
    let times = try await second.beginnings()
    #expect(times.keys.sorted() == [3, 5] && times.values.allSatisfy { $0 > 1e9 }, "\(times)")
    await second.close()
  }

  @Test("An output that does not count any more is open again, and its task can have another")
  func droppedOutputs() async throws {
    let folder = try Folder()
    var attempts = Attempts()
    let first = try await folder.open(setup: .test)
    for sector in [1, 2] { first.scanned(attempts.next(sector)) }
    await first.close()
    let second = try await folder.open(setup: .test)
    #expect(try await second.pastSetups() == [.test])
    second.record(.droppedOutput(TaskID(sector: 1)))
    try await second.commit()
    #expect(try await second.all().map(\.id.sector) == [2])
    let again = attempts.next(1)
    second.began(again)
    second.accepted(again, "another")
    await second.close()
    let third = try await folder.open(setup: .test)
    #expect(try await third.all().map(\.output) == ["another", "out 2"])
    #expect(try await third.pastSetups().count == 2)
    await third.close()
  }

  @Test(
    "What a process recorded of inputs that nobody has verified is forgotten if they have changed")
  func changedInputs() async throws {
    let folder = try Folder()
    var setup = RunSetup.test
    setup.inputs = [RunSetup.Input(path: "/sky.fits", state: "old")]
    let isUnchanged: @Sendable ([RunSetup.Input]) -> Bool = { $0.allSatisfy { $0.state == "old" } }
    var attempts = Attempts()
    let first = try await folder.open(setup: setup, isReliable: isUnchanged)
    first.scanned(attempts.next(3))
    try await first.commit()

    // The process dies: with its inputs as they were, the next one goes on, and else begins anew.
    let same = try await folder.afterDeath().open(setup: setup, isReliable: isUnchanged)
    #expect(same.progress.done == 1 && !same.progress.isForgotten)
    await same.close()
    let other = try await folder.afterDeath().open(setup: setup) { _ in false }
    #expect(other.progress.done == 0 && other.progress.isForgotten && other.progress.isResumed)
    #expect(try await other.all().isEmpty)
    await other.close()

    // A process that has looked at its inputs after its last result is believed.
    try await first.verify()
    await first.close()
    let next = try await folder.open(setup: setup) { _ in false }
    #expect(next.progress.done == 1 && !next.progress.isForgotten)
    await next.close()
    // This one has not.
    let last = try await folder.open(setup: setup) { _ in false }
    #expect(last.progress.done == 0 && last.progress.isForgotten)
    await last.close()
  }

  @Test("A running journal commits by itself")
  func aRunningJournalCommitsByItself() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    let attempt = attempts.next(0)
    let commits = try await Commits.of(journal)
    try await withThrowingTaskGroup { group in
      group.addTask { try await journal.run() }
      journal.scanned(attempt)
      for await _ in commits.all {
        if try Overview.read(folder.file(), failures: 0).progress.done > 0 { break }
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    try await journal.finish()
    await journal.close()
  }

  @Test("A local attempt that ran when the process died counts as lost")
  func anAttemptThatRanHereWhenTheProcessDiedIsLost() async throws {
    var folder = try Folder()
    for death in 1...3 {
      let journal = try await folder.open()
      var attempts = Attempts()
      journal.began(attempts.next(4, ordinal: death))
      journal.began(attempts.next(5, isLocal: false))
      try await journal.commit()
      let remains = try folder.afterDeath()
      await journal.close()
      folder = remains
    }
    let past = try await folder.open().all()
    let (four, five) = (past[0], past[1])
    #expect(four.isOpen && four.id.sector == 4)
    #expect(four.story.attempts == 3 && four.story.deaths == 3)
    #expect(four.story.failures.last?.reason == "the engagement's own process ended")
    #expect(five.isOpen && five.story.attempts == 3 && five.story.deaths == 0)
    #expect(five.story.isLeftElsewhere == true && four.story.isLeftElsewhere == nil)
  }

  @Test("Attempts that earlier processes lost are counted by system")
  func lossesAreCountedBySystem() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    var lost: [Incarnation: Int] = [:]
    for sector in 0..<3 {
      let attempt = attempts.next(sector, isLocal: false)
      journal.began(attempt)
      journal.record(.ended(attempt, .lost(reason: "gone", hadStarted: sector > 0)))
      if sector > 0 { lost[attempt.slot.system, default: 0] += 1 }
    }
    // When the process dies, the first attempt runs locally, the second on another system.
    let own = attempts.next(3)
    journal.began(own)
    journal.began(attempts.next(4, isLocal: false))
    lost[own.slot.system, default: 0] += 1
    try await journal.commit()
    #expect(try await journal.losses() == Losses())
    let remains = try folder.afterDeath()
    await journal.close()
    #expect(try await remains.open().losses() == Losses(attempts: 5, bySystem: lost))
  }

  @Test("An attempt left by a process that ended in order does not count as lost")
  func anAttemptThatWasLeftByAProcessThatEndedInOrderIsNoDeath() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    journal.began(attempts.next(4))
    await journal.close()
    let past = try await folder.open().all()
    #expect(past.count == 1 && past[0].story.attempts == 1 && past[0].story.deaths == 0)
  }

  @Test("Attempts' endings are restored unchanged")
  func endingsComeBackAsTheyWere() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    let endings: [AttemptOutcome] = [
      .failed(reason: "no", seconds: 0.25), .lost(reason: "gone", hadStarted: true),
      .lost(reason: "gone before", hadStarted: false), .withdrawn(reason: "handed back"),
    ]
    var expected = TaskStory()
    for (index, ending) in endings.enumerated() {
      let attempt = attempts.next(2, ordinal: index + 1, isLocal: index.isMultiple(of: 2))
      journal.began(attempt)
      // Some attempts begin and end in one commit, others do not.
      if index > 1 { try await journal.commit() }
      journal.record(.ended(attempt, ending))
      expected.began(times: 1)
      expected.ended(ending, on: attempt.slot.system, named: attempt.slot.name)
    }
    try await journal.finish()
    await journal.close()
    #expect(try await folder.open().all().map(\.story) == [expected])
  }

  @Test("A loss that is forgiven no longer counts")
  func aForgivenLossNoLongerCounts() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    for (sector, isLocal) in [(1, false), (2, false), (2, true)] {
      let attempt = attempts.next(sector, isLocal: isLocal)
      journal.began(attempt)
      journal.record(.ended(attempt, .lost(reason: "silent", hadStarted: true)))
      // The system that is alive had both sectors; only the second loss is forgiven.
      if sector == 2, !isLocal { journal.record(.forgave(attempt.task, attempt.slot.system)) }
    }
    try await journal.finish()
    await journal.close()
    let stories = try await folder.open().all().map(\.story)
    #expect(stories.map(\.deaths) == [1, 1])
    #expect(stories.map(\.attempts) == [1, 2])
    #expect(stories[1].failures.map(\.reason) == ["silent", "silent"])
  }

  @Test("Pages hold every task once, in order")
  func pagesHoldEveryTaskOnceInOrder() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: 100)
    var attempts = Attempts()
    for sector in (0..<100).shuffled() {
      for pass in 0..<2 {
        let attempt = attempts.next(sector, pass: pass, isLocal: sector % 3 == 0)
        switch (sector + pass) % 4 {
        case 0: journal.began(attempt)
        case 1: journal.giveUp(attempt)
        default: journal.scanned(attempt)
        }
      }
    }
    await journal.close()
    let expected = (0..<2).flatMap { pass in (0..<100).map { TaskID(pass: pass, sector: $0) } }
    for limit in [1, 2, 7, 100, 1000] {
      let journal = try await folder.open(sectors: 100)
      let past = try await journal.all(limit)
      await journal.close()
      #expect(past.map(\.id) == expected, "\(limit) a page")
      #expect(
        past.allSatisfy { task in
          switch (task.id.sector + task.id.pass) % 4 {
          case 0: task.isOpen
          case 1: task.isGivenUp
          default: task.output == "out \(task.id.sector)"
          }
        })
    }
  }

  @Test("`retryFailed` forgets the tasks that were given up")
  func failedTasksAreForgottenOnRequest() async throws {
    let folder = try Folder()
    let journal = try await folder.open()
    var attempts = Attempts()
    journal.giveUp(attempts.next(1))
    journal.scanned(attempts.next(2))
    await journal.close()

    let again = try await folder.open()
    let past = try await again.all()
    #expect(past.map(\.isGivenUp) == [true, false])
    #expect(past[0].story.failures.map(\.reason) == ["no"] && past[0].story.attempts == 1)
    #expect(again.progress.failed == 1 && again.progress.done == 1)
    await again.close()

    let retrying = try await folder.open(retryFailed: true)
    #expect(try await retrying.all().map(\.id.sector) == [2])
    #expect(retrying.progress.failed == 0 && retrying.progress.done == 1)
    await retrying.close()
  }
}

extension JournalProgress {
  static func new(sectors: Int) -> JournalProgress {
    JournalProgress(sectors: sectors, done: 0, failed: 0, isResumed: false)
  }
}

extension SQLiteJournal {
  func giveUp(_ attempt: Attempt) {
    began(attempt)
    let ending = AttemptOutcome.failed(reason: "no")
    record(.ended(attempt, ending))
    var story = TaskStory()
    story.began(times: 1)
    story.ended(ending, on: attempt.slot.system, named: attempt.slot.name)
    record(.gaveUp(attempt.task, story))
  }
}
