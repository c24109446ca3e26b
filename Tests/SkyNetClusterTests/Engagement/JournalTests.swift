import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("An engagement's journal", .timeLimit(.minutes(20)))
struct JournalTests {
  private func story(_ endings: AttemptOutcome...) -> TaskStory {
    var story = TaskStory()
    for ending in endings {
      story.began()
      story.ended(ending, on: Incarnation(), named: "x")
    }
    return story
  }

  @Test("The journal gets the beginning and end of every attempt, and is finished at the end")
  func tells() async throws {
    let journal = MemoryJournal()
    let stage = Stage { visit in if visit.sector == 1 { throw ProbeFailure() } }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let settings = EngagementSettings(attempts: 2)
      _ = try await test.engage(cluster, sectors: 3, settings: settings, journal: journal)
    }
    let told = journal.entries.value.compactMap(\.summary)
    #expect(
      told.sorted() == [
        "accepted 0: probed 0", "accepted 2: probed 2", "began 0", "began 1", "began 1",
        "began 2", "ended 1", "ended 1", "gave up 1 after 2",
      ])
    #expect(journal.isFinished.value)
  }

  @Test("An engagement reports the sectors that an earlier process ended, and scans the others")
  func goesOn() async throws {
    let journal = MemoryJournal([
      PastTask(
        id: TaskID(sector: 0), end: .accepted("old 0", system: "x", seconds: 2),
        story: story(.succeeded(seconds: 0))),
      PastTask(
        id: TaskID(sector: 1), end: .gaveUp,
        story: story(.failed(reason: "no"), .failed(reason: "no"))),
      PastTask(
        id: TaskID(sector: 3), end: .open, story: story(.lost(reason: "", hadStarted: false))),
    ])
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let end = try await test.engage(cluster, sectors: 4, journal: journal)
      #expect(test.stage.started.value.map(\.sector).sorted() == [2, 3])
      #expect(end.job.outputs[0] == ["old 0"])
      #expect(end.result(of: 3)?.attempts == 2)
      #expect(end.tally.completed == 3)
      #expect(end.tally.restoredCount == 1)
      #expect(end.tally.failed == 1)
    }
  }

  @Test(
    "An output of an earlier process that the job does not know again is scanned again, and dropped from the journal",
    arguments: [true, false])
  func staleOutputs(isLight: Bool) async throws {
    let journal = MemoryJournal(
      ["old", "stale", "stale"].enumerated().map { sector, output in
        PastTask(
          id: TaskID(sector: sector), end: .accepted(output, system: "x", seconds: 2),
          story: story(.succeeded(seconds: 0)))
      })
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let end = try await cluster.coordinator().run(
        ForgetfulJob(isLight: isLight), journal: Journal(journal))
      #expect(test.stage.started.value.map(\.sector).sorted() == [1, 2, 3])
      #expect(end.tally.completed == 4 && end.tally.restoredCount == 1)
      let told = journal.entries.value.compactMap(\.summary)
      #expect(told.prefix(2) == ["dropped 1", "dropped 2"], "\(told)")
      #expect(told.contains("accepted 1: probed 1") && told.contains("accepted 2: probed 2"))
    }
  }

  @Test("An engagement ends if its journal cannot be written")
  func fails() async throws {
    let journal = MemoryJournal()
    let gate = Gate()
    try await TestCluster.with(nodes: ["b": 1], stage: Stage { _ in try await gate.pass() }) {
      test, cluster in
      let engaging = Task { try await test.engage(cluster, sectors: 4, journal: journal) }
      try await gate.arrivals(atLeast: 1)
      journal.isBroken.update { $0 = true }
      await #expect(throws: MemoryJournal.Broken()) { try await engaging.value }
      try await test.stage.cancelled.wait { $0.count == 1 }
    }
  }

  @Test("A local scan, which may kill the process, begins after the journal has recorded it")
  func ownScans() async throws {
    let journal = MemoryJournal()
    try await TestCluster.with(local: 1) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 1, journal: journal)
      try await journal.commits.arrivals(atLeast: 1)
      #expect(journal.entries.value.compactMap(\.summary) == ["began 0"])
      #expect(test.stage.started.value.isEmpty)
      let own = try #require(journal.entries.value.first?.change)
      #expect(own.name == "local")
      #expect(
        own.kind == .connected(address: "", slots: 1, version: SkyNetVersion.software))
      journal.commits.open()
      try await outcome.expectComplete()
    }
  }

  @Test("The journal records that a system that seemed dead was only silent")
  func forgiven() async throws {
    let journal = MemoryJournal()
    journal.commits.open()
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let engaging = Task { try await test.engage(cluster, sectors: 1, journal: journal) }
      try await gate.arrivals(atLeast: 1)
      try test.node("b").cut()
      try await test.silence(of: "b", in: cluster, heartbeats: 1)
      try test.node("b").heal()
      gate.open()
      // A connection that was tried before the network was whole again is tried anew after a while.
      try await test.clock.advance(by: .seconds(1)) { try await engaging.value }.expectComplete()
      #expect(journal.entries.value.compactMap(\.summary).contains("forgave 0"))
      let changes = journal.entries.value.compactMap(\.change).filter { $0.name == "b" }
      #expect(Set(changes.map(\.system)).count == 1)
      let comings = changes.filter { if case .connected = $0.kind { true } else { false } }
      let goings = changes.filter { if case .disconnected = $0.kind { true } else { false } }
      #expect(comings.count == 2 && goings.count == 1, "\(changes)")
    }
  }

  @Test("A task that ran at three deaths of its process is given up without another attempt")
  func poison() async throws {
    let death = AttemptOutcome.lost(reason: "the process died", hadStarted: true)
    let past = PastTask(
      id: TaskID(sector: 0), end: .open, story: story(death, death, death))
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let end = try await test.engage(cluster, sectors: 2, journal: MemoryJournal([past]))
      #expect(end.failed.map(\.sector) == [0])
      #expect(end.failed.first?.failures.count == 3)
      #expect(test.stage.started.value.map(\.sector) == [1])
    }
  }
}

/// A job of four probes that does not take what is stale.
private struct ForgetfulJob: Job {
  typealias Work = ProbeScan

  let settings = "probed"
  let sectorCount = 4
  let isLight: Bool

  func sector(for task: TaskID) -> Int { task.sector }

  func receive(_ output: String, for task: TaskID) throws -> ReceivedResult {
    if output == "stale" { throw StaleOutput() }
    return ReceivedResult(result: output)
  }
}

extension JournalEntry {
  fileprivate var change: SystemChange? {
    if case .changed(let change) = self { change } else { nil }
  }

  /// What the entry records of a task; `nil` for a change of a system or of the job's parts.
  fileprivate var summary: String? {
    switch self {
    case .began(let attempt, _): "began \(attempt.task.sector)"
    case .ended(let attempt, _): "ended \(attempt.task.sector)"
    case .forgave(let task, _): "forgave \(task.sector)"
    case .accepted(let attempt, let output, _, _, _):
      "accepted \(attempt.task.sector): \(output)"
    case .droppedOutput(let task): "dropped \(task.sector)"
    case .gaveUp(let task, let story): "gave up \(task.sector) after \(story.attempts)"
    case .extended, .changed, .part, .droppedPart: nil
    }
  }
}
