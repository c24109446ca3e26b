import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetViews

/// The lines about failures and waits, on a terminal and in a pipe.
@Suite("Lines about events")
struct EventTextTests {
  private let failure = SectorFailure(
    sector: 3,
    failures: [
      FailedAttempt(system: "a", reason: "bad luck"),
      FailedAttempt(system: "local", reason: "no luck"),
      FailedAttempt(system: "a", reason: "bad luck"),
    ],
    attempts: 3, seconds: 0)

  @Test("The line about a sector that is given up names each reason once")
  func aSectorThatIsGivenUpHasEachReasonOnce() {
    #expect(
      EventText.text(.failed(failure))
        == "gave up 3 after 3 attempts: failed on a: bad luck (2 times); failed on local: no luck")
  }

  @Test("Of a reason with several lines, the first and the last are told")
  func longReason() throws {
    let reason =
      "exit status 1: Traceback (most recent call last):\n  File x\nValueError: no star\n"
    let failure = SectorFailure(
      sector: 3, failures: [FailedAttempt(system: "a", reason: reason)], attempts: 1, seconds: 1)
    #expect(
      EventText.text(.failed(failure))
        == "gave up 3 after 1 attempt: failed on a: exit status 1: Traceback (most recent call last): … ValueError: no star"
    )
  }

  @Test("A sector that an earlier process gave up gets its line too")
  func aRestoredFailureHasItsLine() throws {
    let line = try #require(EventText.text(.restoredFailure(failure)))
    #expect(line.hasPrefix("gave up 3 in an earlier process after 3 attempts: failed on a: bad"))
  }

  @Test("The line about a sector of an image names it once, with its reason")
  func gaveUpImages() {
    func text(_ reason: String, attempts: Int) -> String? {
      EventText.text(
        .failed(
          SectorFailure(
            sector: 7, part: "night/a.fits",
            failures: [FailedAttempt(system: attempts == 0 ? "none" : "b", reason: reason)],
            attempts: attempts, seconds: 0)))
    }
    #expect(
      text("bad luck", attempts: 1)
        == "gave up sector 7 of 'night/a.fits' after 1 attempt: failed on b: bad luck")
    #expect(
      text("night/a.fits: there is no such file", attempts: 0)
        == "gave up 7: night/a.fits: there is no such file")
    #expect(
      text("it needs another sector, which was not scanned", attempts: 0)
        == "gave up sector 7 of 'night/a.fits': it needs another sector, which was not scanned")
  }

  @Test("A part that is called by a number is not read as a count")
  func numberedParts() {
    #expect(EventText.sector(1, of: "2") == "sector 1 of '2'")
    #expect(EventText.sector(1, of: nil) == "1")
  }

  @Test("A paused system gets a line")
  func aPausedSystemHasItsLine() {
    #expect(
      EventText.text(.paused("b@10.0.0.1:4000", failures: 0, for: .seconds(4)))
        == "paused b@10.0.0.1:4000 for 4.0 s while there are others: its last process died young")
    #expect(
      EventText.text(.paused("b", failures: 9, for: .seconds(1.6)))
        == "paused b for 1.6 s while there are others: it failed 9 times in a row")
    #expect(EventText.text(.paused("b", failures: 5, for: .seconds(0.1))) == nil, "it is brief")
    #expect(EventText.text(.paused("b", failures: 10, for: .seconds(3.2))) == nil, "it is known")
  }

  @Test("A stall in which no scan runs gets its line")
  func aStallWithoutScansHasItsLine() {
    #expect(
      EventText.text(.stalled([], of: 0, silence: .seconds(60)))
        == "no scan has ended for 60.0 s, and none runs: what is left waits for a system that is paused or full, or for its time to be tried again"
    )
  }

  @Test("A re-run's line says where and why the attempt failed")
  func aReRunSaysWhereAndWhy() {
    let line = EventText.text(
      .retried(TaskID(sector: 25), FailedAttempt(system: "b", reason: "bad luck")))
    #expect(line == "re-run 25: failed on b: bad luck")
  }
}
