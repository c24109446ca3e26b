import SkyNetCore
import Testing

@testable import SkyNetCluster

@Suite("The refusal log")
struct RefusalLogTests {
  private var log = RefusalLog()

  private mutating func verdict(
    _ host: String, _ reason: String, after seconds: Double = 0
  ) -> RefusalLog.Verdict {
    log.verdict(
      on: Refusal(host: host, reason: reason), at: Instant(sinceOrigin: .seconds(seconds)))
  }

  @Test("A host's reason is logged once, and again after an hour")
  mutating func once() {
    #expect(verdict("a", "wrong key") == .log)
    #expect(verdict("a", "wrong key", after: 3000) == .suppress)
    #expect(verdict("b", "wrong key", after: 3000) == .log)
    #expect(verdict("a", "wrong key", after: 3700) == .log)
  }

  @Test("A host with ever new reasons is logged ten times, and other hosts as usual")
  mutating func talkative() {
    let logged = (0..<1000).count { verdict("a", "reason \($0)") != .suppress }
    #expect(logged == RefusalLog.reasonsPerHost)
    #expect(verdict("b", "wrong key") == .log)
  }

  @Test("A flood from many hosts is logged up to a limit, and later hosts after ten minutes")
  mutating func flood() {
    let verdicts = (0..<10_000).map { verdict("host \($0)", "wrong key") }
    #expect(verdicts.count { $0 != .suppress } == RefusalLog.refusalsPerPeriod)
    #expect(verdicts.count { $0 == .logLast } == 1)
    #expect(verdict("b", "wrong key", after: 500) == .suppress)
    #expect(verdict("b", "wrong key", after: 601) == .log)
  }
}
