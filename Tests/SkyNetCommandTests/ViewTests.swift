import SkyNetCore
import Testing

@testable import SkyNetCommand
@testable import SkyNetJournal

@Suite("Lines of a run")
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

  @Test("The summary counts the results from a journal")
  func resultsFromAJournal() {
    var tally = Tally(total: 4)
    for _ in 0..<3 { tally.restored() }
    tally.handedOut(to: "a", at: instant(1))
    tally.completed(by: "a", at: instant(2))
    #expect(
      SummaryLine.text(tally)
        == "4 of 4 sectors in 1.000 s by 1 system (a 1), 0 retried, 0 failed, 3 done before")
  }

  @Test("A run of inputs that was stopped says how many it had not begun")
  func unread() {
    let words = RunWords(part: .init("input", "inputs"))
    #expect(UnreadLine.text(expected: 80, begun: 14, words) == "66 of 80 inputs were not begun")
    #expect(UnreadLine.text(expected: 80, begun: 79, words) == "1 of 80 inputs was not begun")
    #expect(UnreadLine.text(expected: 80, begun: 80, words) == nil)
    #expect(
      UnreadLine.text(expected: nil, begun: 14, words)
        == "14 inputs had been read: any that follow were not begun")
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

  @Test("Of many systems the summary names ten")
  func theSummaryNamesTenSystems() {
    var tally = Tally(total: 200)
    for number in 0..<12 {
      for _ in 0...number { tally.completed(by: "n\(number)", at: instant(1)) }
    }
    #expect(
      SummaryLine.text(tally).contains(
        " by 12 systems (n11 12, n10 11, n9 10, n8 9, n7 8, n6 7, n5 6, n4 5, n3 4, n2 3, "
          + "… and 2 more), 0 retried"))
  }

  @Test("A stop says what it waits for, for how long, and how to stop at once")
  func stopping() {
    #expect(
      StopLine.text(scans: 4, limit: .seconds(10), signal: .interrupted)
        == "stopping: waiting for 4 scans, at most 10.0 s each; Ctrl-C again stops now")
    #expect(
      StopLine.text(scans: 1, limit: nil, signal: .terminated)
        == "stopping: waiting for 1 scan; a second signal stops now")
    #expect(
      StopLine.text(scans: 0, limit: nil, signal: .interrupted) == "stopping: no scan runs")
    #expect(
      StopLine.text(scans: 4, limit: nil, runLimit: .seconds(10), signal: .interrupted)
        == "stopping: waiting for 4 scans, at most 10.0 s; Ctrl-C again stops now")
    #expect(
      StopLine.text(scans: 4, limit: .seconds(5), runLimit: .seconds(10), signal: .interrupted)
        == "stopping: waiting for 4 scans, at most 5.0 s each; Ctrl-C again stops now")
    #expect(
      StopLine.text(unended: 1, after: .seconds(10))
        == "stopping: 1 scan has not ended within 10.0 s")
  }

  @Test("A wait for systems says who is there and how long it may still take")
  func waiting() {
    #expect(
      WaitingLine.text(for: 3, connected: ["b", "a"], left: 7.2)
        == "waiting for 3 systems: 2 connected (a, b), 8 s left")
    #expect(
      WaitingLine.text(for: 1, connected: [], left: 10)
        == "waiting for 1 system: none connected, 10 s left")
  }

  @Test("The end says which files were written, and with what")
  func writtenFiles() {
    var tally = Tally(total: 3)
    for _ in 0..<2 { tally.completed(by: "a", at: instant(1)) }
    tally.failed(at: instant(1))
    #expect(WrittenLine.results("r.jsonl", tally) == "wrote r.jsonl: 2 results, 1 failure")
    #expect(WrittenLine.events("e.jsonl", 17) == "wrote e.jsonl: 17 events")
    #expect(WrittenLine.sources("c.fits", 1) == "wrote c.fits: 1 source")
    #expect(
      WrittenLine.journal("run.sqlite", tally)
        == "recorded in run.sqlite: 2 of 3 sectors, 1 failure")
  }
}
