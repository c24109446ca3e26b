import Foundation
import SkyNetCore
import SkyScan
import Testing

@testable import ImagesWorkload
@testable import SkyCatalog
@testable import SkyFiles
@testable import SkyNetCluster

@Suite("The report of a night")
struct NightReportTests {
  private func row(
    _ image: String, at position: Int = 0, sources: Int? = nil, reason: String? = nil,
    isPast: Bool = false
  ) -> NightRow {
    var row = NightRow(
      JobPart(number: 0, sectors: 0..<1, name: image), NightSystems.Share())
    (row.sources, row.reason, row.isPast) = (sources, reason, isPast)
    row.position = position
    return row
  }

  @Test("A night that is whole says how many images and sources there are")
  func whole() {
    let report = NightReport(
      [row("a.fits", sources: 5), row("b.fits", at: 1, sources: 7)], left: 0)
    #expect(report.lines(journal: nil) == ["2 of 2 images, 12 sources"])
    #expect(report.isWhole)
  }

  @Test("Images that failed are listed in their order, each with its reason and its name once")
  func failed() {
    let report = NightReport(
      [
        row("c.fits", at: 2, reason: "a sector was not scanned"), row("a.fits", sources: 5),
        row("b.fits", at: 1, reason: "b.fits: it is truncated"),
      ], left: 0)
    #expect(
      report.lines(journal: "n.sqlite") == [
        "no catalogue: b.fits: it is truncated", "no catalogue: c.fits: a sector was not scanned",
        "1 of 3 images, 5 sources, 2 failed",
      ])
    #expect(!report.isWhole)
  }

  @Test("An image that the catalogue of its file lacks is listed by name and number")
  func partOfFile() {
    var missing = row("a.fits[CCD3]", reason: "a.fits: it is truncated")
    missing.placeInFile = (3, 6)
    var only = row("b.fits", at: 1, reason: "b.fits: it is truncated")
    only.placeInFile = (1, 1)
    #expect(
      NightReport([missing, only], left: 0).lines(journal: nil).prefix(2) == [
        "not in the catalogue: a.fits[CCD3], image 3 of 6: a.fits: it is truncated",
        "no catalogue: b.fits: it is truncated",
      ])
  }

  @Test("More than ten images with one reason share a line, and others keep theirs")
  func alike() {
    let same = (0..<60).map { number in
      row("f\(number).fits", at: number + 1, reason: "f\(number).fits: it is truncated")
    }
    let lines = NightReport(same + [row("odd.fits", reason: "not scanned")], left: 0)
      .lines(journal: nil)
    #expect(
      lines == [
        "no catalogue: odd.fits: not scanned",
        "no catalogue: f0.fits and 59 more: it is truncated",
        "0 of 61 images, 0 sources, 61 failed",
      ])
    #expect(NightReport(Array(same.prefix(10)), left: 0).lines(journal: nil).count == 11)
  }

  @Test("Files that could not be read count as failed")
  func unread() {
    let report = NightReport([row("a.fits", sources: 5)], unread: 2, left: 0)
    #expect(report.lines(journal: nil) == ["1 of 3 images, 5 sources, 2 failed"])
    #expect(!report.isWhole)
  }

  @Test("Images that are left are counted, with the way to continue")
  func left() {
    let report = NightReport([row("a.fits", sources: 5, isPast: true)], left: 1)
    #expect(
      report.lines(journal: "n.sqlite") == [
        "1 of 2 images, 5 sources, 1 done before, 1 left: the same command continues from n.sqlite"
      ])
    #expect(
      report.lines(journal: nil).last?.hasSuffix(
        "1 left: a run with --journal FILE can be continued") == true)
    #expect(!report.isWhole)
  }

  @Test("What a journal keeps of an image is what the image's row says when it is read back")
  func outcomes() {
    var done = row("a.fits", sources: 9)
    done.counts = [4, 6]
    done.seconds = 2.5
    done.systems = ["b": 2]
    var again = row("a.fits")
    again.take(done.outcome)
    #expect(again.sources == 9 && again.counts == [4, 6] && again.seconds == 2.5)
    #expect(again.systems == ["b": 2] && again.reason == nil && again.isPast)
    var failed = row("b.fits")
    failed.take(row("b.fits", reason: "b.fits: it is truncated").outcome)
    #expect(failed.reason == "b.fits: it is truncated")
  }
}

@Suite("The error of a night's output")
struct NightOutputErrorTests {
  @Test("It says that the journal is kept, if there is one")
  func text() {
    let output = OutputFileError(path: "a.csv", fault: "cannot be written")
    #expect(
      NightOutputError(output: output, journal: nil).description == "a.csv: cannot be written")
    #expect(
      NightOutputError(output: output, journal: "n.sqlite").description
        == "a.csv: cannot be written; n.sqlite keeps what was done, and the same command goes on "
        + "from there")
  }
}

@Suite("The systems that scan a night")
struct NightSystemsTests {
  private let run = RunID()

  private func update(_ event: EngagementEvent, at second: Double) -> EngagementUpdate {
    EngagementUpdate(
      run: run, time: Date(timeIntervalSince1970: second), event: event, tally: Tally(total: 0))
  }

  private func result(_ sector: Int, by system: String) -> SectorResult {
    SectorResult(
      sector: sector, of: "a", pass: 0, result: 1, system: system, attempts: 1, seconds: 1)
  }

  @Test("An image's share has the systems of its sectors, and the time from its first to its last")
  func shares() throws {
    let systems = NightSystems()
    systems.hear(update(.handedOut(.init(task: TaskID(sector: 4), system: "b")), at: 10))
    systems.hear(update(.handedOut(.init(task: TaskID(sector: 5), system: "c")), at: 11))
    systems.hear(update(.handedOut(.init(task: TaskID(pass: 1, sector: 4), system: "c")), at: 12))
    systems.hear(update(.handedOut(.init(task: TaskID(sector: 6), system: "c")), at: 13))
    systems.hear(update(.completed(result(4, by: "c")), at: 15))
    systems.hear(update(.completed(result(5, by: "b")), at: 14.5))
    systems.hear(update(.completed(result(6, by: "b")), at: 20))
    let share = systems.take(4..<6)
    #expect(share.bySector == [0: "c", 1: "b"])
    #expect(share.seconds == 5)
    #expect(share.failed == 0)
    #expect(systems.take(4..<6).bySector.isEmpty, "it is forgotten")
    #expect(systems.take(6..<7).bySector == [0: "b"])
  }

  @Test("Failures count, and an image of which nothing was handed out has no time")
  func failures() {
    let systems = NightSystems()
    let failure = SectorFailure(
      sector: 2, failures: [FailedAttempt(system: "b", reason: "no")], attempts: 1, seconds: 0)
    systems.hear(update(.failed(failure), at: 1))
    systems.hear(update(.restored(result(1, by: "b")), at: 1))
    let share = systems.take(0..<3)
    #expect(share.failed == 1 && share.seconds == nil && share.bySector == [1: "b"])
  }
}
