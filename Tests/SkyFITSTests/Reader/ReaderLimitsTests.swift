import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite("A reader's limits")
struct ReaderLimitsTests {
  /// The ending of a reader that does not answer for some seconds, and uses a share of them. The
  /// limits are checked five times per second, as in use.
  private func ending(
    of limits: ReaderLimits, after seconds: Double, using share: Double
  ) -> ReaderEnding? {
    var limits = limits
    for tick in 1...Int(seconds * 5) {
      let time = Double(tick) / 5
      if let ending = limits.check(used: time * share, now: time) { return ending }
    }
    return nil
  }

  private func begun(bytes: Int) -> ReaderLimits {
    var limits = ReaderLimits()
    limits.begin(bytes: bytes, opens: true, used: 0, now: 0)
    return limits
  }

  @Test("A small file has five seconds of processor time and fifteen of waiting")
  func smallFile() {
    #expect(ending(of: begun(bytes: 20_000), after: 4.8, using: 1) == nil)
    #expect(ending(of: begun(bytes: 20_000), after: 5.2, using: 1) == .outOfTime)
    #expect(ending(of: begun(bytes: 20_000), after: 14.8, using: 0) == nil)
    #expect(ending(of: begun(bytes: 20_000), after: 15.2, using: 0) == .silent)
  }

  @Test("A large file has the time that a slow machine and a slow disk need")
  func largeFile() {
    #expect(ending(of: begun(bytes: 80_000_000), after: 14.8, using: 1) == nil)
    #expect(ending(of: begun(bytes: 80_000_000), after: 15.2, using: 1) == .outOfTime)
    #expect(ending(of: begun(bytes: 80_000_000), after: 94.8, using: 0.1) == nil)
    #expect(ending(of: begun(bytes: 80_000_000), after: 95.4, using: 0.1) == .silent)
  }

  /// The number of requests does not matter.
  @Test("All requests for a file share its time")
  func requests() {
    var limits = begun(bytes: 20_000)
    var (used, now) = (0.0, 0.0)
    var endings: [ReaderEnding?] = []
    for _ in 0..<4 {
      (used, now) = (used + 2, now + 2)
      endings.append(limits.check(used: used, now: now))
      limits.begin(bytes: 20_000, opens: false, used: used, now: now)
    }
    #expect(endings == [nil, nil, .outOfTime, .outOfTime])
  }

  @Test("Unused time of many requests does not add up")
  func unusedTime() {
    var limits = begun(bytes: 0)
    for _ in 0..<100 { limits.begin(bytes: 8_000_000, opens: false, used: 1, now: 0) }
    #expect(limits.check(used: 6.9, now: 0) == nil)
    #expect(limits.check(used: 7.1, now: 0) == .outOfTime)
  }

  @Test("Processor time between requests is taken off")
  func usedBetween() {
    var limits = begun(bytes: 0)
    // Between requests, a reader has nothing to do.
    limits.begin(bytes: 0, opens: false, used: 1000, now: 1000)
    #expect(limits.check(used: 1000, now: 1000) == .outOfTime)
  }

  @Test("Idle time between requests is not taken off")
  func idleBetween() {
    var limits = begun(bytes: 0)
    limits.begin(bytes: 0, opens: false, used: 0, now: 1000)
    #expect(limits.check(used: 0, now: 1000.2) == nil)
  }

  /// After Ctrl-Z and an hour, the reader had no chance to answer either, or it has answered.
  @Test("A process that was stopped itself does not end its reader")
  func stopped() {
    var limits = begun(bytes: 0)
    #expect(limits.check(used: 0, now: 3600) == nil)
  }

  @Test("The end of a reader gives no time back")
  func ended() {
    var limits = begun(bytes: 0)
    #expect(limits.check(used: 4.9, now: 0) == nil)
    // The system reports no time for a process that is gone.
    #expect(limits.check(used: 0, now: 0) == nil)
    #expect(limits.check(used: 5.1, now: 0) == .outOfTime)
  }
}
