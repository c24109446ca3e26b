import Foundation
import SkyNetCore
import Testing

/// Members that do what members do not: the others are served, and nothing grows.
@Suite(.timeLimit(.minutes(20)))
struct BadMemberTests {
  @Test func randomBytesWithinTLSDisturbNobody() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "4")
      let babbler = try Babbler(of: stage)
      let run = try stage.engage(
        peers: [a.port], "--no-local", "--total", "100", "--scan-seconds", "0.1",
        "--failing-every", "0", "--timeout", "60")
      try await run.completions(by: "a")
      var random = SplitMix64(seed: 1)
      let babble = (0..<100).map { _ in Babbler.nonsense(&random) }
      try await withThrowingDiscardingTaskGroup { group in
        for bytes in babble { group.addTask { try await babbler.say(bytes, to: a.port) } }
      }
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 100)
      #expect(try outcome.summary.retried == 0, "the connection of the good one was left alone")
      let memory = try #require(Memory.peak(of: a.process.id))
      #expect(memory < 256 * 1024)
    }
  }

  @Test func whoSendsTenTimesItsShareIsTurnedOut() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "4")
      let run = try stage.engage(
        peers: [a.port], "--no-local", "--total", "60", "--scan-seconds", "0.1",
        "--failing-every", "0")
      try await run.completions(by: "a")
      let told = try await Babbler(of: stage).call(10 * 256, at: a.port)
      #expect(told?.contains("too much under way: calls (257, at most 256 allowed)") == true)
      try await run.outcome().expectEverySectorOnce(of: 60)
      try await a.process.line("too much under way")
    }
  }
}
