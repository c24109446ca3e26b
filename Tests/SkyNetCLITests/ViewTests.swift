import SkyNetCore
import Testing

@testable import SkyNetCLI
@testable import SkyNetJournal

@Suite("The panel and the summary")
struct ViewTests {
  private func instant(_ seconds: Double) -> Instant { Instant(sinceOrigin: .seconds(seconds)) }

  @Test("The summary names the shares, the largest first")
  func theSummaryNamesSharesLargestFirst() {
    var tally = Tally(total: 4)
    tally.handedOut(to: "a", at: instant(1))
    for system in ["a", "local", "a"] { tally.completed(by: system, at: instant(3.04)) }
    tally.retriedOne()
    tally.failed(at: instant(3.26))
    #expect(
      SummaryLine.text(tally)
        == "3 of 4 sectors in 2.260 s by 2 systems (a 2, local 1), 1 retried, 1 failed")
  }

  @Test("A run that did nothing has a summary too")
  func aRunThatDidNothingHasASummaryToo() {
    #expect(
      SummaryLine.text(Tally(total: 4))
        == "0 of 4 sectors in 0.000 s by 0 systems, 0 retried, 0 failed")
  }

  @Test(
    "A long run's time is in tenths of seconds",
    arguments: [(99.9994, "99.999 s"), (100.04, "100.0 s"), (7200, "7200.0 s")])
  func aLongRunIsTimedInTenths(seconds: Double, words: String) {
    var tally = Tally(total: 1)
    tally.handedOut(to: "a", at: instant(0))
    tally.completed(by: "a", at: instant(seconds))
    #expect(SummaryLine.text(tally).contains(" sectors in \(words) by "))
  }

  @Test("The summary counts the results from a journal, and the rate does not")
  func resultsFromAJournal() {
    var tally = Tally(total: 4)
    for _ in 0..<3 { tally.restored() }
    tally.handedOut(to: "a", at: instant(1))
    tally.completed(by: "a", at: instant(2))
    #expect(
      SummaryLine.text(tally)
        == "4 of 4 sectors in 1.000 s by 1 system (a 1), 0 retried, 0 failed, 3 done before")
    var view = EngageView()
    _ = view.lines(Tally(total: 4), connected: [], at: instant(0), width: 80)
    let rate = view.lines(tally, connected: ["a"], at: instant(2), width: 80)[0]
    #expect(rate.contains("   0.5 tasks/s"))
  }

  @Test("A resumed run begins with the journal's progress")
  func aResumedRunShowsItsProgress() {
    var progress = JournalProgress(sectors: 2000, done: 1200, failed: 3, isResumed: true)
    #expect(
      ResumeLine.text(progress, in: "run.sqlite")
        == "1200 of 2000 sectors are done in run.sqlite, 3 failed; the rest follows")
    progress.done = 2000
    progress.failed = 0
    #expect(
      ResumeLine.text(progress, in: "run.sqlite")
        == "2000 of 2000 sectors are done in run.sqlite; nothing is left to do")
  }

  @Test("The panel shows the rate, the time left and the systems")
  func thePanelShowsRateTimeLeftAndSystems() {
    var view = EngageView()
    var tally = Tally(total: 100)
    _ = view.lines(tally, connected: [], at: instant(0), width: 80)
    for system in ["a", "local", "gone"] { tally.handedOut(to: system, at: instant(0)) }
    for _ in 0..<10 { tally.completed(by: "a", at: instant(2)) }
    tally.cameBack(from: "gone")
    tally.completed(by: "gone", at: instant(2))
    let lines = view.lines(tally, connected: ["a"], at: instant(2), width: 80)
    #expect(lines[0] == "scheduled 2   5.5 tasks/s   connected to 1 system")
    #expect(lines[1].hasPrefix("completed 11 of 100  █"))
    #expect(lines[1].hasSuffix("17 s left"))
    #expect(lines[2] == "  local  0 completed, 1 in flight")
    #expect(lines[3] == "  a      10 completed, 1 in flight")
    #expect(lines[4] == "  gone   1 completed, 0 in flight, gone")
  }

  @Test("The progress bar fits the width", arguments: [20, 40, 80, 200])
  func theBarFits(width: Int) {
    var view = EngageView()
    var tally = Tally(total: 1_000_000)
    tally.completed(by: "a", at: instant(0))
    let bar = view.lines(tally, connected: [], at: instant(1), width: width)[1]
    #expect(bar.count <= max(width, 50))
  }
}
