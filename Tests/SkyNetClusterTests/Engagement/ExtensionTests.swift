import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("A job that adds sectors of its outputs", .timeLimit(.minutes(20)))
struct ExtensionTests {
  /// A page links to its number doubled and to the next one, up to a limit.
  private static func tree(_ count: Int) -> [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: (1...count).map { page in
        ("\(page)", [2 * page, 2 * page + 1].filter { $0 <= count }.map(String.init))
      })
  }

  private func crawl(
    _ job: CrawlJob, on cluster: Cluster, settings: EngagementSettings = EngagementSettings(),
    journal: MemoryJournal? = nil,
    report: @escaping @Sendable (EngagementUpdate) -> Void = { _ in }
  ) async throws -> (job: CrawlJob, tally: Tally, updates: [EngagementUpdate]) {
    let updates = Watched<[EngagementUpdate]>([])
    let (job, tally) = try await cluster.coordinator(settings).run(
      job, journal: journal.map { Journal($0) }
    ) { update in
      updates.update { $0.append(update) }
      report(update)
    }
    return (job, tally, updates.value)
  }

  @Test("The total grows by each sector that is new, and events tell which")
  func total() async throws {
    try await TestCluster.with(local: 1, nodes: ["b": 2]) { _, cluster in
      let job = CrawlJob(["1"], links: Self.tree(127))
      let (end, tally, updates) = try await crawl(job, on: cluster)
      #expect(Set(end.received) == Set((1...127).map(String.init)) && end.received.count == 127)
      #expect(tally.total == 127 && tally.completed == 127)
      #expect(updates.allSatisfy { $0.tally.completed <= $0.tally.total })
      let added = updates.flatMap { update -> [Int] in
        if case .extended(let sectors) = update.event { Array(sectors) } else { [] }
      }
      #expect(added == Array(1..<127))
    }
  }

  @Test("Numbers that the job leaves out do not count")
  func gaps() async throws {
    try await TestCluster.with(local: 2) { _, cluster in
      let job = CrawlJob(["1"], links: Self.tree(15), gap: 3)
      let (end, tally, _) = try await crawl(job, on: cluster)
      #expect(tally.total == 15 && tally.completed == 15)
      #expect(end.pages.count == 1 + 14 * 4)
    }
  }

  @Test("A later pass over sectors that the job has adds none")
  func passes() async throws {
    try await TestCluster.with(nodes: ["b": 2]) { _, cluster in
      let updates = Watched<[EngagementEvent]>([])
      let (_, tally) = try await cluster.coordinator().run(TwoPassJob(sectorCount: 5)) { update in
        updates.update { $0.append(update.event) }
      }
      #expect(tally.total == 5)
      #expect(!updates.value.contains { if case .extended = $0 { true } else { false } })
    }
  }

  @Test("A new sector that is given up counts, and ends the run with the others")
  func failures() async throws {
    let stage = Stage { visit in if visit.sector == 3 { throw ProbeFailure() } }
    try await TestCluster.with(local: 1, stage: stage) { _, cluster in
      let job = CrawlJob(["1"], links: Self.tree(15))
      let (end, tally, _) = try await crawl(
        job, on: cluster, settings: EngagementSettings(attempts: 2))
      // With one slot, pages are numbered as the tree is: the fourth page's two links are never seen.
      #expect(end.givenUp == [3])
      #expect(tally.failed == 1 && tally.completed == tally.total - 1)
      #expect(tally.total == 13)
    }
  }

  /// Two roots, of which the second one's output comes first.
  private static let links = [
    "a": ["a1", "a2"], "b": ["b1", "b2", "b3"], "b1": ["b11"], "a1": ["a11"], "b3": ["b31"],
  ]

  @Test(
    "A crawl that was cancelled goes on with its outputs in the order in which it received them")
  func resuming() async throws {
    let gate = Gate()
    // The first root is scanned after all that the second one leads to; then nothing is.
    let stage = Stage { visit in if visit.sector == 0 || visit.sector > 6 { try await gate.pass() }
    }
    try await TestCluster.with(nodes: ["b": 2], stage: stage) { test, cluster in
      let job = CrawlJob(["a", "b"], links: Self.links)
      let first = MemoryJournal()
      let completed = Watched<[Int]>([])
      let crawling = Task {
        try await crawl(job, on: cluster, journal: first) { update in
          if case .completed(let result) = update.event {
            completed.update { $0.append(result.sector) }
          }
        }
      }
      try await completed.wait { $0.count == 6 }
      gate.letThrough()
      try await completed.wait { $0.count == 7 }
      try await gate.arrivals(atLeast: 3)
      crawling.cancel()
      await #expect(throws: CancellationError.self) { try await crawling.value }
      #expect(completed.value.first == 1 && completed.value.last == 0)

      gate.open()
      let again = try await first.reopened()
      let scanned = test.stage.finished.value.count
      let (end, tally, updates) = try await crawl(job, on: cluster, journal: again)
      #expect(Set(end.received).count == 10 && end.received.count == 10)
      #expect(end.received.prefix(2) == ["b", "b1"])
      #expect(end.received.prefix(7).last == "a")
      #expect(end.pages.prefix(7) == ["a", "b", "b1", "b2", "b3", "b11", "b31"])
      #expect(tally.total == 10 && tally.completed == 10 && tally.restoredCount == 7)
      #expect(test.stage.finished.value.count == scanned + 3, "no page is scanned twice")
      let restored = updates.compactMap { update in
        if case .restored(let result) = update.event { result.sector } else { nil }
      }
      #expect(restored == completed.value)
      #expect(try await again.endedTwice() == [])
    }
  }

  @Test("What follows from an output that does not hold any more is scanned anew")
  func stale() async throws {
    try await TestCluster.with(local: 1) { test, cluster in
      let journal = MemoryJournal(
        [(0, "probed 0"), (4, "probed 4")].map { sector, output in
          PastTask(
            id: TaskID(sector: sector), end: .accepted(output, system: "x", seconds: 1),
            story: TaskStory())
        }, order: [TaskID(sector: 0), TaskID(sector: 4)])
      journal.commits.open()
      // The page that led to the fifth one links to no other now.
      let job = CrawlJob(["1"], links: ["1": ["2"]])
      let (end, tally, _) = try await crawl(job, on: cluster, journal: journal)
      #expect(end.received == ["1", "2"] && tally.total == 2 && tally.completed == 2)
      let dropped = journal.entries.value.compactMap { entry in
        if case .droppedOutput(let task) = entry { task.sector } else { nil }
      }
      #expect(dropped == [4])
    }
  }
}

/// A growing job that writes nothing but its next part.
private struct PlainGrowth: GrowableJob {
  typealias Work = ProbeScan

  let settings = "probed"
  let counter = Watched(0)

  func nextPart() -> JobPart? {
    let number = counter.update { number in
      defer { number += 1 }
      return number
    }
    return number < 4 ? JobPart(number: number, sectors: 2 * number..<2 * number + 2) : nil
  }

  func sector(for task: TaskID) -> Int { task.sector }

  func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}

@Suite("A growing job with the defaults", .timeLimit(.minutes(20)))
struct PlainGrowthTests {
  @Test("It begins without a sector, and each of its parts with all of that part's sectors")
  func grows() async throws {
    #expect(PlainGrowth.part == RunWords.Noun("part", "parts"))
    try await TestCluster.with(nodes: ["b": 2]) { _, cluster in
      let results = Watched<[SectorResult]>([])
      let (_, tally) = try await cluster.coordinator().run(PlainGrowth()) { update in
        if case .completed(let result) = update.event { results.update { $0.append(result) } }
      }
      #expect(tally.total == 8 && tally.completed == 8)
      #expect(results.value.allSatisfy { $0.part == "\($0.sector / 2)" })
    }
  }

  @Test("It goes on from a journal, part by part")
  func resumes() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let first = MemoryJournal()
      first.commits.open()
      _ = try await cluster.coordinator().run(PlainGrowth(), journal: Journal(first))
      let again = try await first.reopened()
      #expect(
        try await again.parts().map(\.outcome) == .init(repeating: #"{"state":"done"}"#, count: 4))
      let (_, tally) = try await cluster.coordinator().run(
        PlainGrowth(), journal: Journal(again))
      #expect(tally.completed == 8 && tally.restoredCount == 8)
      #expect(test.stage.started.value.count == 8 && again.recordedParts == [])
    }
  }

  @Test("A part that has other sectors than before is recorded anew, for the journal to judge")
  func otherSectors() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { _, cluster in
      let journal = MemoryJournal(parts: [JobPart(number: 1, sectors: 2..<9, name: "1")])
      journal.commits.open()
      _ = try await cluster.coordinator().run(PlainGrowth(), journal: Journal(journal))
      #expect(Set(journal.recordedParts) == [0, 1, 2, 3])
    }
  }
}

/// A job of two sectors that adds something with its first output.
private struct WrongJob: Job {
  typealias Work = ProbeScan

  let settings = "probed"
  let sectorCount: Int
  let added: [TaskRange]
  private(set) var received = 0

  init(_ added: [TaskRange], sectorCount: Int = 2) {
    (self.added, self.sectorCount) = (added, sectorCount)
  }

  func sector(for task: TaskID) -> Int { task.sector }

  mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    received += 1
    return ReceivedResult(result: output, added: received == 1 ? added : [])
  }
}

/// A growing job with these parts.
private struct WrongParts: GrowableJob {
  typealias Work = ProbeScan

  let settings = "probed"
  let parts: [JobPart]
  let given = Watched(0)

  func nextPart() -> JobPart? {
    let number = given.update { number in
      defer { number += 1 }
      return number
    }
    return number < parts.count ? parts[number] : nil
  }

  func sector(for task: TaskID) -> Int { task.sector }

  func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}

@Suite("A job that is wrong about its own sectors", .timeLimit(.minutes(20)))
struct WrongGrowthTests {
  @Test(
    "ends its run with an error that names the sector",
    arguments: [
      ([TaskRange(sectors: 1..<2)], TaskID(sector: 1)),
      ([TaskRange(sectors: 2..<4), TaskRange(sectors: 3..<5)], TaskID(sector: 3)),
      ([TaskRange(sectors: -3..<0)], TaskID(sector: -3)),
      ([TaskRange(sectors: 1 << 41..<1 << 41 + 1)], TaskID(sector: 1 << 41)),
      ([TaskRange(pass: -1, sectors: 0..<1)], TaskID(pass: -1, sector: 0)),
      ([TaskRange(pass: 7, sectors: 0..<1)], TaskID(pass: 7, sector: 0)),
    ])
  func tasks(_ added: [TaskRange], wrong: TaskID) async throws {
    try await TestCluster.with(nodes: ["b": 1]) { _, cluster in
      let error = await #expect(throws: EngagementError.self) {
        try await cluster.coordinator().run(WrongJob(added))
      }
      guard case .impossibleTask(let task, _)? = error else { throw error ?? CancellationError() }
      #expect(task == wrong)
    }
  }

  @Test("ends its run if it begins with fewer than no sectors")
  func fewerThanNone() async throws {
    try await TestCluster.with { _, cluster in
      let error = await #expect(throws: EngagementError.self) {
        try await cluster.coordinator().run(WrongJob([], sectorCount: -1))
      }
      guard case .impossibleTask? = error else { throw error ?? CancellationError() }
    }
  }

  @Test("is not one that has billions of them, added in any order")
  func billions() throws {
    var added = AddedTasks()
    try added.add([TaskRange(sectors: 0..<6_000_000_000)])
    for sector in [5, 1, 3, 2, 4] {
      try added.add([TaskRange(pass: 1, sectors: sector..<sector + 1)])
    }
    #expect(
      throws: EngagementError.impossibleTask(
        TaskID(pass: 1, sector: 3), reason: "the job has added it before")
    ) {
      try added.add([TaskRange(pass: 1, sectors: 3..<4)])
    }
  }

  @Test(
    "ends its run if a part has another one's number or sectors",
    arguments: [
      JobPart(number: 1, sectors: 2..<5), JobPart(number: 0, sectors: 3..<5),
      JobPart(number: -1, sectors: 3..<5), JobPart(number: 1, sectors: -5..<0),
    ])
  func parts(_ second: JobPart) async throws {
    try await TestCluster.with(nodes: ["b": 1]) { _, cluster in
      let job = WrongParts(parts: [JobPart(number: 0, sectors: 0..<3), second])
      let error = await #expect(throws: EngagementError.self) {
        try await cluster.coordinator().run(job)
      }
      guard case .impossibleTask? = error else { throw error ?? CancellationError() }
    }
  }
}
