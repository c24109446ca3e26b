import Testing

@testable import SkyScan

@Suite struct ReaderLimitsTests {
  @Test func aRequestHasTenSecondsAndMoreForALargeFile() {
    var limits = ReaderLimits()
    limits.begin(bytes: 0, used: 0.01, now: 100)
    #expect(!limits.areExceeded(used: 9.9, now: 100))
    #expect(limits.areExceeded(used: 10.1, now: 100))
    limits.begin(bytes: 80_000_000, used: 0.02, now: 100)
    #expect(!limits.areExceeded(used: 20, now: 100))
    #expect(limits.areExceeded(used: 20.1, now: 100))
  }

  @Test func timeThatIsNotUsedIsNotKept() {
    var limits = ReaderLimits()
    for _ in 0..<100 { limits.begin(bytes: 0, used: 1, now: 0) }
    #expect(limits.areExceeded(used: 11.1, now: 0))
  }

  @Test func timeThatIsUsedBetweenRequestsIsTakenOff() {
    var limits = ReaderLimits()
    limits.begin(bytes: 0, used: 0, now: 0)
    // A reader has nothing to do then.
    limits.begin(bytes: 0, used: 1000, now: 1000)
    #expect(limits.areExceeded(used: 1000, now: 1000))
  }

  @Test func whoWaitsForADiskHasMinutes() {
    var limits = ReaderLimits()
    limits.begin(bytes: 0, used: 0, now: 50)
    #expect(!limits.areExceeded(used: 0, now: 350))
    #expect(limits.areExceeded(used: 0, now: 361))
  }
}
