import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster
@testable import SkyNetCommand

@Suite("The latencies of a run")
struct LatencyRecordTests {
  private let clock = ManualClock()
  private let record: LatencyRecord

  init() {
    record = LatencyRecord(clock: clock)
  }

  private func completed(_ sector: Int) -> EngagementEvent {
    .completed(
      SectorResult(sector: sector, result: "", system: "a", attempts: 1, seconds: 0))
  }

  @Test("A run without results has no latencies")
  func empty() {
    record.add(.handedOut(.init(task: TaskID(sector: 1), system: "a")))
    // The sector was restored, or handed out before the record began.
    record.add(completed(2))
    #expect(record.text == nil)
  }

  @Test("The median and the 99th percentile are in microseconds")
  func percentiles() throws {
    for sector in 0..<100 {
      record.add(.handedOut(.init(task: TaskID(sector: sector), system: "a")))
      clock.advance(by: .microseconds(sector))
      record.add(completed(sector))
    }
    #expect(record.text == "latency: p50 49.0 µs, p99 98.0 µs")
  }
}
