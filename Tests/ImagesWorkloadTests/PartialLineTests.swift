import SkyCatalog
import SkyNetCore
import Testing

@testable import ImagesWorkload

@Suite("The message about incomplete files")
struct PartialLineTests {
  private func tally(completed: Int, failed: Int) -> Tally {
    var tally = Tally(total: 16)
    for _ in 0..<completed { tally.restored() }
    for _ in 0..<failed { tally.restoredFailure() }
    return tally
  }

  @Test("The message names the unchanged files and how to continue")
  func theMessageNamesTheFiles() {
    let text = PartialLine.left(
      [("a.csv", true), ("a.fits", true), ("a.png", false)], tally(completed: 11, failed: 2),
      journal: nil, isPartialWanted: false)
    #expect(
      text == "left as it was: a.csv and a.fits; not written: a.png; 5 of 16 sectors have no "
        + "result; a run with --journal FILE can be continued; --partial writes what there is")
  }

  @Test("The message names the journal that continues the run")
  func theMessageNamesTheJournal() {
    let failed = PartialLine.left(
      [(nil, false)], tally(completed: 15, failed: 1), journal: "run.sqlite", isPartialWanted: false
    )
    #expect(
      failed == "not written: standard output; 1 of 16 sectors have no result; the same command "
        + "continues from run.sqlite, and --retry-failed tries again what failed; --partial writes "
        + "what there is")
    let stopped = PartialLine.left(
      [("a.csv", true)], nil, journal: "run.sqlite", isPartialWanted: false)
    #expect(
      stopped == "left as it was: a.csv; the run was stopped at once; the same command continues "
        + "from run.sqlite")
  }

  /// The error that ended the run says what to do.
  @Test("The message of a run that failed names only the files")
  func theMessageOfAFailedRun() {
    let text = PartialLine.left([("a.csv", true), ("a.png", false)])
    #expect(text == "left as it was: a.csv; not written: a.png")
  }

  @Test("The message names files whose format cannot mark them as partial")
  func theMessageNamesUnmarkedFiles() {
    let coverage = Coverage(scanned: 11, of: 16)
    #expect(
      PartialLine.written(coverage, [("a.fits", true), (nil, false)])
        == "a.fits and standard output have the sources of 11 of 16 sectors only; CSV has no place "
        + "to say so in standard output")
    #expect(
      PartialLine.written(coverage, [("a.fits", true)])
        == "a.fits has the sources of 11 of 16 sectors only")
  }
}
