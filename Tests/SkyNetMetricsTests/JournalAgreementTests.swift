import CoreMetrics
import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetJournal
import SkyNetTestKit
import SkySQLite
import Testing

@testable import SkyNetMetrics

/// The counters and the journal tell the same of a run.
@Suite("Metrics beside a journal", .timeLimit(.minutes(20)))
struct JournalAgreementTests {
  /// Fails every third sector for ever, and the first attempt at every second one.
  private struct Faulty: Scan {
    static let kind = ScanKind(name: "faulty", version: 1)

    func run(_ sector: Int, settings: NoSettings) async throws -> Int { sector }

    func run(_ sector: Int, settings: NoSettings, on attempt: ScanAttempt) async throws -> Int {
      guard !sector.isMultiple(of: 3) else { throw Fault() }
      if sector.isMultiple(of: 2), attempt.number == 1 { throw Fault() }
      return sector
    }

    struct Fault: Error {}
  }

  private struct FaultyJob: Job {
    typealias Work = Faulty
    let settings = NoSettings()
    let sectorCount: Int

    func sector(for task: TaskID) -> Int { task.sector }
    mutating func receive(_ output: Int, for task: TaskID) -> ReceivedResult {
      ReceivedResult(result: output)
    }
  }

  private func counter(_ state: String, in text: String) -> Int? {
    let line = #"skynet_attempts_total{kind="faulty/1",state="\#(state)"} "#
    return text.split(separator: "\n").first { $0.hasPrefix(line) }
      .flatMap { Int($0.dropFirst(line.count)) }
  }

  @Test("Each attempt is counted as the journal records its end")
  func agreement() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "metrics-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "run.sqlite").path
    let registry = PrometheusRegistry()
    let job = FaultyJob(sectorCount: 60)
    let journal = try await Journal.open(file, for: job.identity(), sectors: job.sectorCount)
    let tally = try await withMetricsFactory(registry) {
      try await Cluster.with(
        ClusterSettings(name: "ada", localSlots: 4), scans: [Faulty()], discoveries: [],
        transport: InMemoryNetwork().transport(host: "ada")
      ) { cluster in
        try await cluster.coordinator(EngagementSettings(attempts: 3)).run(job, journal: journal)
      }.tally
    }
    await journal.close()
    #expect(tally.completed == 40 && tally.failed == 20)

    let text = await registry.text()
    let db = try Database(file)
    let results: Int? = try db.value("SELECT count(*) FROM result")
    let endings = Dictionary(
      uniqueKeysWithValues: try db.rows(
        "SELECT coalesce(ending, 'none'), count(*) FROM attempt GROUP BY ending"
      ).map { (try $0[0] as String, try $0[1] as Int) })
    #expect(counter("done", in: text) == results)
    #expect(results == 40)
    #expect(counter("failed", in: text) == 20, "those with which a task was given up")
    #expect(counter("retried", in: text).map { $0 + 20 } == endings["failed"])
    #expect(endings["failed"].map { $0 >= 60 + 20 } ?? false)
    for state in ["lost", "withdrawn"] { #expect(counter(state, in: text) == endings[state] ?? 0) }
    #expect(endings["none"] == nil)
  }
}
