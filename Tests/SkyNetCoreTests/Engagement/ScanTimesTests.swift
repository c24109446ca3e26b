import Testing

@testable import SkyNetCore

@Suite("The durations of scans")
struct ScanTimesTests {
  @Test("The median is exact to a fourth of an octave, and never too small")
  func median() throws {
    var times = ScanTimes()
    #expect(times.median == nil)
    for seconds in [0.01, 0.5, 3, 1000, 0.7] { times.add(seconds) }
    let median = try #require(times.median).inSeconds
    #expect(median >= 0.7 && median <= 0.7 * 1.19)
  }

  @Test(
    "Every number that a peer reports is counted",
    arguments: [0, -1, 1e-300, 1e308, .infinity, .nan])
  func anyNumber(seconds: Double) {
    var times = ScanTimes()
    times.add(seconds)
    #expect(times.median != nil)
  }
}
