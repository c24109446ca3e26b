import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetJournal
import Testing

@testable import SkyNetReport

@Suite("The report of a long run")
struct AggregateTests {
  @Test("Beyond 100,000 sectors the report has cells and time lines that add up")
  func beyondTheLimit() async throws {
    let count = RunReport.sectorLimit + 5000
    let journal = try TestJournal()
    let store = try await journal.open(sectors: count)
    var attempts = TestAttempts()
    for sector in 0..<count - 1 {
      let attempt = attempts.next(sector, on: sector.isMultiple(of: 2) ? "a" : "b")
      if sector == 7 {
        store.began(attempt)
        store.record(.ended(attempt, .failed(reason: "broken", seconds: 0)))
      }
      store.done(attempt, seconds: 0.001)
      if store.isBehind { try await store.commit() }
    }
    await store.close()
    let report = try journal.report()
    guard case .aggregate(let aggregate) = report.course else {
      Issue.record("a long run is aggregated")
      return
    }
    #expect(report.completed == count - 1 && aggregate.cells.count == 1)
    let cells = aggregate.cells[0]
    #expect(cells.done.reduce(0, +) == count - 1)
    #expect(cells.done.count <= RunReport.Aggregate.cellLimit)
    #expect(aggregate.sectorsPerCell * cells.done.count >= count)
    // The last cell has a sector without a result.
    #expect(cells.ended.last == -1 && cells.ended.dropLast().allSatisfy { $0 >= 0 })
    #expect(zip(cells.began, cells.ended).dropLast().allSatisfy { $0 <= $1 })
    #expect(zip(cells.middle, cells.ended).dropLast().allSatisfy { 0 <= $0 && $0 <= $1 })
    #expect(aggregate.timeline.map { $0.done.reduce(0, +) }.reduce(0, +) == count - 1)
    #expect(aggregate.timeline.map { $0.failed.reduce(0, +) }.reduce(0, +) == 1)
    let object = try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any]
    #expect(object?["attempts"] == nil && object?["aggregate"] != nil)
  }

  @Test("A million sectors of two passes on a hundred systems take less than 5 MB")
  func aMillionSectors() {
    let (sectors, length) = (1_000_000, 36_000_000)
    var random = SplitMix64(seed: 1)
    var aggregate = RunReport.Aggregate(sectors: sectors, passes: 2, systems: 100, length: length)
    for pass in 0..<2 {
      for sector in 0..<sectors {
        let took = Int.random(in: 0..<30_000, using: &random)
        let began = Int.random(in: 0..<length - took, using: &random)
        aggregate.done(
          TaskID(pass: pass, sector: sector), on: Int.random(in: 0..<100, using: &random),
          began: began, ended: began + took, busy: Double(took))
      }
    }
    aggregate.finish()
    var report = RunReport()
    report.course = .aggregate(aggregate)
    #expect(report.json.count < 5_000_000, "\(report.json.count) bytes")
  }

  @Test("A scan that lasts for several buckets keeps its system busy in each")
  func busyBuckets() {
    var aggregate = RunReport.Aggregate(sectors: 10, passes: 1, systems: 1, length: 6000)
    let step = aggregate.timelineStep
    aggregate.done(
      TaskID(sector: 0), on: 0, began: step, ended: 4 * step, busy: Double(3 * step))
    aggregate.finish()
    #expect(aggregate.timeline[0].busy.reduce(0, +) == Double(3 * step))
    #expect(Array(aggregate.timeline[0].busy[1..<4]) == Array(repeating: Double(step), count: 3))
  }

  @Test("A pass beyond the last that has cells counts as that one")
  func manyPasses() {
    var aggregate = RunReport.Aggregate(sectors: 4, passes: 1 << 20, systems: 1, length: 100)
    #expect(aggregate.cells.count == RunReport.Aggregate.passLimit)
    aggregate.done(TaskID(pass: 900_000, sector: 3), on: 0, began: 1, ended: 2, busy: 1)
    aggregate.finish()
    #expect(aggregate.cells.last?.done == [0, 0, 0, 1])
  }
}
