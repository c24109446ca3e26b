import Foundation
import SkyNetCore
import SkyPrograms
import SkyTestSupport
import Testing

@testable import ProgramsWorkload
@testable import SkyNetCluster

@Suite("The table of a run of programs")
struct ProgramTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func rows(
    _ settings: ProgramSettings, began: [Int: Double] = [:], _ events: [EngagementEvent]
  ) throws -> [String] {
    let path = folder.file("log.tsv")
    let table = try ProgramTable(path, settings)
    table.began(began)
    for event in events {
      table.hear(
        EngagementUpdate(
          run: RunID(), time: Date(timeIntervalSince1970: 1_764_299_042.1234), event: event,
          tally: Tally(total: events.count)))
    }
    try table.finish()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  private static let header =
    "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand"

  @Test("It has the columns of GNU parallel's joblog")
  func columns() throws {
    let rows = try rows(
      ProgramSettings(["sh", "-c", "echo hi; exit {}"]),
      [
        .completed(
          SectorResult(
            sector: 0, of: nil, pass: 0, result: "hi\n", system: "ada", attempts: 1, seconds: 0.0014
          )),
        .finished(reason: nil),
      ])
    #expect(
      rows == [Self.header, "1\tada\t0.000\t     0.001\t0\t3\t0\t0\tsh -c 'echo hi; exit 0'"])
  }

  @Test("An input's row has its words, what it was sent, and no second line")
  func inputs() throws {
    var settings = ProgramSettings(["cat", "{}"])
    settings.givesInput = true
    let facts = InputFacts("a b\nc", place: 4)
    let part = JobPart(number: 2, sectors: 2..<3, name: "x", facts: facts.json)
    let rows = try rows(
      settings,
      [
        .grew(part, expectedParts: nil),
        .completed(
          SectorResult(
            sector: 2, of: "x", pass: 0, result: "", system: "bob", attempts: 2, seconds: 12)),
      ])
    #expect(rows.last == "5\tbob\t0.000\t    12.000\t6\t0\t0\t0\tcat 'a b c'")
  }

  @Test(
    "A system or a command that a spreadsheet would run as a formula has an apostrophe before it")
  func formulas() throws {
    let result = SectorResult(
      sector: 0, pass: 0, result: "", system: "=1+1", attempts: 1, seconds: 2)
    let rows = try rows(ProgramSettings(["@x", "-1"]), [.completed(result)])
    #expect(rows.last == "1\t'=1+1\t0.000\t     2.000\t0\t0\t0\t0\t'@x -1")
  }

  @Test("What an earlier process did has the time at which it began there")
  func restored() throws {
    let result = SectorResult(
      sector: 1, pass: 0, result: "", system: "ada", attempts: 1, seconds: 2)
    let rows = try rows(
      ProgramSettings(["x"]), began: [1: 1_764_299_000.5], [.restored(result)])
    #expect(rows.last == "2\tada\t1764299000.500\t     2.000\t0\t0\t0\t0\tx")
  }

  @Test("An empty run has the header alone")
  func empty() throws {
    #expect(try rows(ProgramSettings(["x"]), [.finished(reason: nil)]) == [Self.header])
  }
}
