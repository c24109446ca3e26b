import SkyNetCore
import Testing

@testable import SkyNetCluster

@Suite("Which refusals are told of")
struct RefusalLogTests {
  private var log = RefusalLog()

  private mutating func verdict(
    _ host: String, _ reason: String, after seconds: Double = 0
  ) -> RefusalLog.Verdict {
    log.verdict(
      on: Refusal(host: host, reason: reason), at: Instant(sinceOrigin: .seconds(seconds)))
  }

  @Test("A host's reason is told once, and again after an hour")
  mutating func once() {
    #expect(verdict("a", "wrong key") == .tell)
    #expect(verdict("a", "wrong key", after: 3000) == .keepQuiet)
    #expect(verdict("b", "wrong key", after: 3000) == .tell)
    #expect(verdict("a", "wrong key", after: 3700) == .tell)
  }

  @Test("A host with ever new reasons is told of a few times, and others as ever")
  mutating func talkative() {
    let told = (0..<1000).count { verdict("a", "reason \($0)") != .keepQuiet }
    #expect(told == RefusalLog.reasonsOfHost)
    #expect(verdict("b", "wrong key") == .tell)
  }

  @Test("A flood from everywhere is told of so often, and whoever comes later after ten minutes")
  mutating func flood() {
    let verdicts = (0..<10_000).map { verdict("host \($0)", "wrong key") }
    #expect(verdicts.count { $0 != .keepQuiet } == RefusalLog.lines)
    #expect(verdicts.count { $0 == .tellLast } == 1)
    #expect(verdict("b", "wrong key", after: 500) == .keepQuiet)
    #expect(verdict("b", "wrong key", after: 601) == .tell)
  }
}
