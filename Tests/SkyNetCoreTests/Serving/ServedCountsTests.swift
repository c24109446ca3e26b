import SkyNetCore
import Testing

@Suite("The counts of served scans")
struct ServedCountsTests {
  @Test("Only the latest of many names are kept, and every scan is counted")
  func forgetting() {
    var counts = ServedCounts()
    counts.served("a")
    counts.served("faithful")
    for number in 0..<10_000 {
      counts.served("client \(number)")
      counts.served("faithful")
    }
    #expect(counts.byName.count == ServedCounts.limit + 1)
    #expect(counts.byName["faithful"] == 10_001)
    #expect(counts.byName["client 9999"] == 1 && counts.byName["a"] == nil)
    #expect(counts.byName.values.reduce(0, +) == 20_002)
  }
}
