import SkyCatalog
import SkyNetCore
import Testing

@testable import SkyNetCLI

@Suite("What is told of the files of a run that did not scan everything")
struct PartLineTests {
  private func tally(completed: Int, failed: Int) -> Tally {
    var tally = Tally(total: 16)
    for _ in 0..<completed { tally.restored() }
    for _ in 0..<failed { tally.restoredFailure() }
    return tally
  }

  @Test func whatWasLeftAndHowToGoOn() {
    let text = PartLine.left(
      [("a.csv", true), ("a.fits", true), ("a.png", false)], tally(completed: 11, failed: 2),
      journal: nil, isPartWanted: false)
    #expect(
      text == "left as it was: a.csv and a.fits; not written: a.png; 5 of 16 sectors have no "
        + "result; a run with --journal FILE can be continued; --partial writes what there is")
  }

  @Test func aJournalIsTheWayOn() {
    let failed = PartLine.left(
      [(nil, false)], tally(completed: 15, failed: 1), journal: "run.sqlite", isPartWanted: false)
    #expect(
      failed == "not written: standard output; 1 of 16 sectors have no result; the same command "
        + "continues from run.sqlite, and --retry-failed tries again what failed; --partial writes "
        + "what there is")
    let stopped = PartLine.left(
      [("a.csv", true)], nil, journal: "run.sqlite", isPartWanted: false)
    #expect(
      stopped == "left as it was: a.csv; the run was stopped at once; the same command continues "
        + "from run.sqlite")
  }

  /// The error that broke it off says what to do.
  @Test func ofARunThatCouldNotGoOnTheFilesAreNamedAlone() {
    let text = PartLine.left([("a.csv", true), ("a.png", false)])
    #expect(text == "left as it was: a.csv; not written: a.png")
  }

  @Test func aPartIsCalledOneEvenWhereTheFileCannot() {
    let coverage = Coverage(scanned: 11, of: 16)
    #expect(
      PartLine.written(coverage, [("a.fits", true), (nil, false)])
        == "a.fits and standard output have the sources of 11 of 16 sectors only; CSV has no place "
        + "to say so in standard output")
    #expect(
      PartLine.written(coverage, [("a.fits", true)])
        == "a.fits has the sources of 11 of 16 sectors only")
  }
}
