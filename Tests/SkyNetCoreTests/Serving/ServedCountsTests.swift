import SkyNetCore
import Testing

@Suite("How many scans each client had")
struct ServedCountsTests {
  @Test("Of many names only the latest are kept, and none of their scans is lost")
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
