import SkyNetCore
import Testing

@testable import SkyNetCLI
@testable import SkyNetCluster

@Suite("The latencies of a run")
struct LatencyRecordTests {
  private let record = LatencyRecord(clock: SteadyClock())

  private func completed(_ sector: Int) -> EngagementEvent {
    .completed(
      SectorResult(sector: sector, result: "", system: "a", attempts: 1, seconds: 0))
  }

  @Test("Nothing is said of a run without results")
  func empty() {
    record.take(.handedOut(sector: 1, system: "a"))
    // It was restored, or handed out before anybody looked.
    record.take(completed(2))
    #expect(record.text == nil)
  }

  @Test("Median and 99th percentile are told in microseconds")
  func told() throws {
    for sector in 0..<10 { record.take(.handedOut(sector: sector, system: "a")) }
    for sector in 0..<10 { record.take(completed(sector)) }
    let text = try #require(record.text)
    let figures = try #require(
      try /latency: p50 ([0-9.]+) µs, p99 ([0-9.]+) µs/.wholeMatch(in: text)?.output)
    let (median, most) = (try #require(Double(figures.1)), try #require(Double(figures.2)))
    #expect(median > 0)
    #expect(median <= most)
  }
}
