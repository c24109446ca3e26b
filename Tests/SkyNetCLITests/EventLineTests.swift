import SkyNetCore
import Testing

@testable import SkyNetCLI
@testable import SkyNetCluster

/// The lines that tell of failures, on a terminal and in a pipe.
@Suite struct EventLineTests {
  private let failure = SectorFailure(
    sector: 3,
    failures: [
      FailedAttempt(system: "a", reason: "bad luck"),
      FailedAttempt(system: "local", reason: "no luck"),
      FailedAttempt(system: "a", reason: "bad luck"),
    ],
    attempts: 3, seconds: 0)

  @Test func aSectorThatIsGivenUpHasEachReasonOnce() {
    #expect(
      EventLine.text(.failed(failure))
        == "gave up 3 after 3 attempts: failed on a: bad luck (2 times); failed on local: no luck")
  }

  @Test func whatAnEarlierProcessGaveUpIsToldToo() throws {
    let line = try #require(EventLine.text(.restoredFailure(failure)))
    #expect(line.hasPrefix("gave up 3 in an earlier process after 3 attempts: failed on a: bad"))
  }

  @Test func aSystemThatIsPausedIsNotWaitedForInSilence() {
    let hello = Hello(
      name: "b", incarnation: Incarnation(), slots: 8, timeout: .seconds(5), scans: [])
    let system = RemoteSystem(hello, name: "b@10.0.0.1:4000", address: "10.0.0.1:4000")
    #expect(
      EventLine.text(.paused(system, for: .seconds(4)))
        == "paused b@10.0.0.1:4000 for 4.0 s while there are others: its last process died young")
  }

  @Test func thatNothingRunsIsToldToo() {
    #expect(
      EventLine.text(.stalled([], of: 0, silence: .seconds(60)))
        == "no scan has ended for 60.0 s, and none runs: what is left waits for a system that is paused"
    )
  }

  @Test func aReRunSaysWhereAndWhy() {
    let line = EventLine.text(.rerun(sector: 25, FailedAttempt(system: "b", reason: "bad luck")))
    #expect(line == "re-run 25: failed on b: bad luck")
  }
}
