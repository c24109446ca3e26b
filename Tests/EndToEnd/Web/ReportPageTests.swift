import Foundation
import Testing

@Suite(
  "The page of a report in Chromium", .timeLimit(.ample),
  .enabled(if: hasBrowser, "there is no Chromium with its driver and Python's selenium"))
struct ReportPageTests {
  @Test("The report of a killed run shows any moment of it, from one file that asks for nothing")
  func aKilledRun() async throws {
    try await Stage.with { stage in
      let (journal, page) = (stage.file("run.sqlite"), stage.file("night.html"))
      let a = try await stage.node("a", "--slots", "3")
      let run = try stage.engage(
        peers: [a.port],
        ["--journal", journal, "--total", "1200", "--scan-seconds", "0.2", "--failing-every", "9"])
      try await run.completions(5, by: "a")
      a.process.send(SIGKILL)
      _ = try await a.process.end()
      try await run.completions(40, by: "local")
      run.process.send(SIGKILL)
      _ = try await run.process.end()

      let report = try await stage.skynet("report", journal, "-o", page).end()
      try #require(report.status == 0, "\(report.errors)")
      let summary = try #require(report.errors.first)
      let counts = try #require(try /simulated sky: (\d+) of 1200 sectors/.prefixMatch(in: summary))
      let browser = try await stage.browse(
        "check_report.py", page, "--completed", String(counts.1), "--sectors", "1200", "--gone", "a"
      ).end()
      #expect(browser.status == 0, "\(browser.errors)")
    }
  }
}
