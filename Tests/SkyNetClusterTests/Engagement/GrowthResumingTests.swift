import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("A growing job that goes on from a journal", .timeLimit(.minutes(20)))
struct GrowthResumingTests {
  /// The parts of a journal, with outcomes for some of them, and then none.
  private static func known(
    _ journal: MemoryJournal, ended outcomes: [Int: String] = [:], then more: [JobPart] = []
  ) async throws -> Parts {
    let parts =
      try await journal.parts().map { part in
        var part = part
        part.outcome = outcomes[part.number]
        return part
      } + more
    return Parts { $0 < parts.count ? parts[$0] : nil }
  }

  /// Runs a job until this many sectors have their result, and shuts down.
  private func interrupted(
    _ test: TestCluster, _ cluster: Cluster, _ job: GrowingJob, after count: Int,
    _ journal: MemoryJournal
  ) async throws {
    journal.commits.open()
    let shutdown = ShutdownTrigger()
    let results = Watched(0)
    async let ending: Void = {
      _ = try await cluster.coordinator(EngagementSettings(inFlight: 1)).run(
        job, journal: Journal(journal), shutdown: shutdown
      ) { update in
        guard case .completed = update.event else { return }
        if results.update({
          $0 += 1
          return $0
        }) == count {
          shutdown.shutDown()
        }
      }
    }()
    try await ending
  }

  @Test("Parts half done go on where they stood, and parts that are new begin")
  func halfDone() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let first = MemoryJournal()
      try await interrupted(test, cluster, GrowingJob(Parts([12, 4])), after: 3, first)
      let again = try await first.reopened()
      let scanned = test.stage.started.value.count
      #expect((3..<12).contains(scanned), "a scan that runs at the shutdown finishes")
      let end = try await test.grow(cluster, GrowingJob(Parts([12, 4])), journal: again)
      #expect(end.restored.map(\.sector) == Array(0..<scanned))
      #expect(end.restored.allSatisfy { $0.part == "image 0" })
      #expect(end.completed.map(\.sector).sorted() == Array(scanned..<16))
      #expect(test.stage.started.value.count == 16)
      #expect(end.job.outputs.count == 16)
      #expect(end.tally.completed == 16 && end.tally.restoredCount == scanned)
      #expect(end.job.parts.ended.value.sorted() == [0, 1])
      #expect(!again.recordedParts.contains(0), "it is recorded already")
      #expect(try await again.endedTwice() == [])
    }
  }

  @Test("A part whose tasks are all done ends at once, so that what follows from it is done")
  func allDone() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let first = MemoryJournal()
      first.commits.open()
      _ = try await test.grow(
        cluster, GrowingJob(Parts([2, 1]), twoPasses: true), journal: first)
      let scanned = test.stage.started.value.count
      let again = try await first.reopened()
      let end = try await test.grow(
        cluster, GrowingJob(Parts([2, 1]), twoPasses: true), journal: again)
      #expect(test.stage.started.value.count == scanned, "nothing is scanned")
      #expect(end.restored.map(\.sector).sorted() == [0, 1, 2])
      #expect(end.partsEnded == [0, 1])
      #expect(end.job.outputs.count == 6)
      #expect(end.tally.completed == 3)
    }
  }

  @Test(
    "A part that has ended gives its results from its outcome, and is not scanned or asked for outputs"
  )
  func ended() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let first = MemoryJournal()
      first.commits.open()
      _ = try await test.grow(cluster, GrowingJob(Parts([3]), twoPasses: true), journal: first)
      let again = try await first.reopened()
      let new = JobPart(number: 1, sectors: 3..<4, name: "new")
      let job = GrowingJob(
        try await Self.known(again, ended: [0: "done"], then: [new]), twoPasses: true,
        fates: [0: .ended])
      let end = try await test.grow(cluster, job, journal: again)
      #expect(end.restored.map(\.sector) == [0, 1, 2])
      #expect(end.restored.map { $0.result as? String } == ["done 0", "done 1", "done 2"])
      #expect(end.restored.allSatisfy { $0.pass == 1 && $0.part == "image 0" })
      #expect(end.completed.map(\.sector) == [3])
      #expect(end.partsEnded.sorted() == [0, 1])
      #expect(Set(end.job.outputs.keys.map(\.sector)) == [3])
      #expect(try await again.endedTwice() == [])
    }
  }

  @Test("A part that failed is restored as it ended, with each of its sectors' ends counted once")
  func failed() async throws {
    let stage = Stage { visit in if visit.sector == 1 { throw ProbeFailure() } }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let first = MemoryJournal()
      first.commits.open()
      let settings = EngagementSettings(attempts: 1)
      let before = try await test.grow(
        cluster, GrowingJob(Parts([3]), twoPasses: true), settings: settings, journal: first)
      #expect(before.tally.failed == 3)
      #expect(
        try await first.endedTwice() == [], "the outputs of the first pass stay in the journal")
      let again = try await first.reopened()
      let job = GrowingJob(
        try await Self.known(again), twoPasses: true, fates: [0: .ended])
      let end = try await test.grow(cluster, job, settings: settings, journal: again)
      #expect(end.restoredFailures.map(\.sector).sorted() == [0, 1, 2])
      #expect(end.failed.isEmpty, "an earlier process has told of them")
      #expect(end.tally.failed == 3)
      #expect(try await again.endedTwice() == [])
      #expect(again.entries.value.compactMap(\.gaveUp) == [])
    }
  }

  @Test("A part half done that can no longer be begun fails, and none of its tasks ends twice")
  func nowFailing() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let first = MemoryJournal()
      try await interrupted(test, cluster, GrowingJob(Parts([4])), after: 2, first)
      let again = try await first.reopened()
      let job = GrowingJob(Parts([4]), fates: [0: .failed(reason: "the file is gone")])
      let end = try await test.grow(cluster, job, journal: again)
      #expect(end.tally.failed == 4, "its catalogue cannot be written")
      #expect(end.tally.completed == 0)
      #expect(end.partsEnded == [0])
      #expect(try await again.endedTwice() == [])
    }
  }

  @Test("A sector that an earlier process gave up in a first pass ends the part once more")
  func gaveUp() async throws {
    let stage = Stage { visit in if visit.sector == 1 { throw ProbeFailure() } }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let first = MemoryJournal()
      first.commits.open()
      let settings = EngagementSettings(attempts: 1)
      _ = try await test.grow(
        cluster, GrowingJob(Parts([3]), twoPasses: true), settings: settings, journal: first)
      let again = try await first.reopened()
      let scanned = stage.started.value.count
      // The process died before what follows from the part's end was done.
      let end = try await test.grow(
        cluster, GrowingJob(Parts([3]), twoPasses: true), settings: settings, journal: again)
      #expect(stage.started.value.count == scanned)
      #expect(end.tally.failed == 3)
      #expect(end.partsEnded == [0])
      #expect(try await again.endedTwice() == [])
    }
  }

  @Test("A dropped part is forgotten, and its successor is scanned anew")
  func dropped() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let first = MemoryJournal()
      first.commits.open()
      _ = try await test.grow(cluster, GrowingJob(Parts([2, 1])), journal: first)
      let again = try await first.reopened()
      again.record(.droppedPart(0))
      let successor = JobPart(number: 2, sectors: 3..<5, name: "image 0")
      let one = JobPart(number: 1, sectors: 2..<3, name: "image 1")
      let scanned = test.stage.started.value.count
      let end = try await test.grow(
        cluster, GrowingJob(Parts { [successor, one][safe: $0] }), journal: again)
      #expect(test.stage.started.value.count == scanned + 2)
      #expect(end.restored.map(\.sector) == [2])
      #expect(end.completed.map(\.sector).sorted() == [3, 4])
      let last = try await again.reopened()
      #expect(try await last.parts().map(\.number) == [1, 2])
    }
  }

  @Test("The sectors that a growing job begins with are restored too")
  func initialSectors() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let first = MemoryJournal()
      first.commits.open()
      _ = try await test.grow(cluster, GrowingJob(Parts([]), sectors: 2), journal: first)
      let scanned = test.stage.started.value.count
      let again = try await first.reopened()
      let end = try await test.grow(cluster, GrowingJob(Parts([]), sectors: 2), journal: again)
      #expect(test.stage.started.value.count == scanned)
      #expect(end.tally.completed == 2)
      #expect(end.restored.map(\.sector) == [0, 1])
    }
  }
}

extension JournalEntry {
  fileprivate var gaveUp: TaskID? { if case .gaveUp(let task, _) = self { task } else { nil } }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
