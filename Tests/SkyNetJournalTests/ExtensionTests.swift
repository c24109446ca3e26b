import SkyNetCluster
import SkyNetTestKit
import Testing

@testable import SkyNetCore
@testable import SkyNetJournal

/// A page of a site, whose output is its links.
private struct PageScan: Scan {
  static let kind = ScanKind(name: "page", version: 1)
  static let links = [
    "a": ["a1", "a2"], "b": ["b1", "b2", "b3"], "b1": ["b11"], "a1": ["a11"], "b3": ["b31"],
  ]

  struct Output: Codable, Sendable {
    let page: String
    let links: [String]
  }

  /// Holds the pages that begin with an `a`.
  let gate: Gate
  let scanned: Watched<[String]>

  func run(_ page: String, settings: NoSettings) async throws -> Output {
    if page.hasPrefix("a") { try await gate.pass() }
    scanned.update { $0.append(page) }
    return Output(page: page, links: Self.links[page] ?? [])
  }
}

private struct PagesJob: Job {
  typealias Work = PageScan

  struct WrongPage: Error {}

  let settings = NoSettings()
  let sectorCount = 2
  private(set) var pages = ["a", "b"]

  func sector(for task: TaskID) -> String { pages[task.sector] }

  mutating func receive(_ output: PageScan.Output, for task: TaskID) throws -> ReceivedResult {
    guard output.page == pages[task.sector] else { throw WrongPage() }
    let first = pages.count
    pages += output.links
    return ReceivedResult(result: output, added: [TaskRange(sectors: first..<pages.count)])
  }
}

@Suite("The journal of a job that adds sectors of its outputs", .timeLimit(.minutes(20)))
struct ExtensionTests {
  @Test("Outputs come in the order in which they were taken, of a job that has added sectors alone")
  func order() async throws {
    let folder = try Folder()
    var attempts = Attempts()
    let first = try await folder.open()
    for sector in [7, 2, 5] { first.scanned(attempts.next(sector)) }
    try await first.commit()
    first.scanned(attempts.next(1))
    await first.close()
    let second = try await folder.open()
    #expect(try await second.order() == [], "it may take them in any order")
    second.record(.extended(sectors: 12, end: 14))
    for sector in [13, 0] { second.scanned(attempts.next(sector)) }
    #expect(try await second.order() == [])
    await second.close()
    let third = try await folder.open()
    let order = try await third.order()
    #expect(order.map(\.sector) == [7, 2, 5, 1, 13, 0])
    let past = try await third.past(String.self, Array(order[3...]))
    #expect(past.map(\.output) == ["out 1", "out 13", "out 0"])
    #expect(third.progress.sectors == 12 && third.progress.done == 6)
    await third.close()
    let overview = try Overview.read(folder.file(), failures: 0)
    #expect(overview.progress.sectors == 12 && overview.parts == nil)
    try RunHistory.read(folder.file()) { #expect($0.sectors == 14) }
  }

  @Test("A journal never forgets sectors, and keeps those of a job that may begin with more")
  func extent() async throws {
    let folder = try Folder()
    let first = try await folder.open()
    first.record(.extended(sectors: 20, end: 20))
    first.record(.extended(sectors: 15, end: 15))
    await first.close()
    #expect(try Overview.read(folder.file(), failures: 0).progress.sectors == 20)
    let error = await #expect(throws: JournalError.self) { try await folder.open(sectors: 20) }
    #expect(error?.code == .otherJob, "what the job begins with is its identity")
  }

  @Test("A sector beyond those that the job has is damage")
  func beyond() async throws {
    let folder = try Folder()
    var attempts = Attempts()
    let journal = try await folder.open()
    journal.record(.extended(sectors: 12, end: 12))
    journal.scanned(attempts.next(12))
    await journal.close()
    let error = await #expect(throws: JournalError.self) { try await folder.open() }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains("a sector that its job does not have") == true)
  }

  @Test("A job of parts that adds sectors without a part ends with an error of the journal")
  func parts() async throws {
    let folder = try Folder()
    let journal = try await folder.open(sectors: nil)
    journal.record(.extended(sectors: 12, end: 12))
    let error = await #expect(throws: JournalError.self) { try await journal.commit() }
    #expect(error?.code == .writeFailed)
    #expect(error?.description.contains("sectors that no part has") == true, "\(error as Any)")
    await journal.close()
  }

  @Test("A crawl that was cancelled midway goes on, and no page is scanned twice or left out")
  func crawl() async throws {
    let folder = try Folder()
    let (gate, scanned) = (Gate(), Watched<[String]>([]))
    try await Cluster.with(
      ClusterSettings(name: "test", localSlots: 4), scans: [PageScan(gate: gate, scanned: scanned)],
      discoveries: [], transport: InMemoryNetwork().transport(host: "test")
    ) { cluster in
      let job = PagesJob()
      @Sendable func open() async throws -> Journal {
        try await Journal.open(folder.file(), for: job.identity(), sectors: job.sectorCount)
      }
      let first = try await open()
      let completed = Watched<[Int]>([])
      let crawling = Task {
        try await cluster.coordinator().run(job, journal: first) { update in
          guard case .completed(let result) = update.event else { return }
          completed.update { $0.append(result.sector) }
        }
      }
      // All that the second root leads to, and then the first root, but none of its links.
      try await completed.wait { $0.count == 6 }
      gate.letThrough()
      try await completed.wait { $0.count == 7 }
      crawling.cancel()
      await #expect(throws: CancellationError.self) { try await crawling.value }
      await first.close()
      #expect(scanned.value.count == 7)

      gate.open()
      let second = try await open()
      let (end, tally) = try await cluster.coordinator().run(job, journal: second)
      await second.close()
      #expect(tally.total == 10 && tally.completed == 10 && tally.restoredCount == 7)
      #expect(end.pages.prefix(5) == ["a", "b", "b1", "b2", "b3"])
      #expect(Set(scanned.value).count == 10 && scanned.value.count == 10)

      let third = try await open()
      let (_, last) = try await cluster.coordinator().run(job, journal: third)
      await third.close()
      #expect(last.restoredCount == 10 && scanned.value.count == 10)
    }
    #expect(try Overview.read(folder.file(), failures: 0).progress.isComplete)
  }
}
