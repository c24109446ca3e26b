import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite struct ReaderLimitsTests {
  /// What a reader's end is that has not answered after some seconds, of which it used as many, looked at
  /// as often as it is.
  private func ending(
    of limits: ReaderLimits, after seconds: Double, using share: Double
  ) -> ReaderEnding? {
    var limits = limits
    for tick in 1...Int(seconds * 5) {
      let time = Double(tick) / 5
      if let ending = limits.look(used: time * share, now: time) { return ending }
    }
    return nil
  }

  private func begun(bytes: Int) -> ReaderLimits {
    var limits = ReaderLimits()
    limits.begin(bytes: bytes, opens: true, used: 0, now: 0)
    return limits
  }

  @Test func aSmallFileHasFiveSecondsOfAProcessorAndFifteenInAll() {
    #expect(ending(of: begun(bytes: 20_000), after: 4.8, using: 1) == nil)
    #expect(ending(of: begun(bytes: 20_000), after: 5.2, using: 1) == .outOfTime)
    #expect(ending(of: begun(bytes: 20_000), after: 14.8, using: 0) == nil)
    #expect(ending(of: begun(bytes: 20_000), after: 15.2, using: 0) == .silent)
  }

  @Test func aLargeFileHasTheTimeThatASlowMachineAndASlowDiskTake() {
    #expect(ending(of: begun(bytes: 80_000_000), after: 14.8, using: 1) == nil)
    #expect(ending(of: begun(bytes: 80_000_000), after: 15.2, using: 1) == .outOfTime)
    #expect(ending(of: begun(bytes: 80_000_000), after: 94.8, using: 0.1) == nil)
    #expect(ending(of: begun(bytes: 80_000_000), after: 95.4, using: 0.1) == .silent)
  }

  /// However many requests a small file is read by.
  @Test func theRequestsOfAFileShareItsTime() {
    var limits = begun(bytes: 20_000)
    var (used, now) = (0.0, 0.0)
    var endings: [ReaderEnding?] = []
    for _ in 0..<4 {
      (used, now) = (used + 2, now + 2)
      endings.append(limits.look(used: used, now: now))
      limits.begin(bytes: 20_000, opens: false, used: used, now: now)
    }
    #expect(endings == [nil, nil, .outOfTime, .outOfTime])
  }

  @Test func timeThatManyRequestsDidNotUseIsNotKept() {
    var limits = begun(bytes: 0)
    for _ in 0..<100 { limits.begin(bytes: 8_000_000, opens: false, used: 1, now: 0) }
    #expect(limits.look(used: 6.9, now: 0) == nil)
    #expect(limits.look(used: 7.1, now: 0) == .outOfTime)
  }

  @Test func timeThatIsUsedBetweenRequestsIsTakenOff() {
    var limits = begun(bytes: 0)
    // A reader has nothing to do then.
    limits.begin(bytes: 0, opens: false, used: 1000, now: 1000)
    #expect(limits.look(used: 1000, now: 1000) == .outOfTime)
  }

  @Test func timeThatPassesBetweenRequestsIsNot() {
    var limits = begun(bytes: 0)
    limits.begin(bytes: 0, opens: false, used: 0, now: 1000)
    #expect(limits.look(used: 0, now: 1000.2) == nil)
  }

  /// As after Ctrl-Z and an hour: the reader had no chance to answer either, or has answered.
  @Test func aProcessThatWasStoppedItselfGivesItsReaderTime() {
    var limits = begun(bytes: 0)
    #expect(limits.look(used: 0, now: 3600) == nil)
  }

  @Test func theEndOfAReaderTakesNoTimeBack() {
    var limits = begun(bytes: 0)
    #expect(limits.look(used: 4.9, now: 0) == nil)
    // The system knows nothing of a process that is gone.
    #expect(limits.look(used: 0, now: 0) == nil)
    #expect(limits.look(used: 5.1, now: 0) == .outOfTime)
  }
}
