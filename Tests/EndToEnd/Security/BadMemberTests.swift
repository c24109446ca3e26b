import Foundation
import SkyNetCore
import Testing

/// Members that break the protocol do not disturb others, and the node's memory does not grow.
@Suite("Misbehaving members", .timeLimit(.ample))
struct BadMemberTests {
  @Test("Random bytes within TLS disturb no other peer")
  func randomBytesDisturbNoPeer() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "4")
      let member = try MisbehavingMember(of: stage)
      let run = try stage.engage(
        peers: [a.port], "--no-local", "--total", "100", "--scan-seconds", "0.1",
        "--failing-every", "0", "--timeout", "60")
      try await run.completions(by: "a")
      var random = SplitMix64(seed: 1)
      let babble = (0..<100).map { _ in MisbehavingMember.nonsense(&random) }
      try await withThrowingDiscardingTaskGroup { group in
        for bytes in babble { group.addTask { try await member.say(bytes, to: a.port) } }
      }
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 100)
      #expect(try outcome.summary.retried == 0, "the connection of the good one was left alone")
      let memory = try #require(Memory.peak(of: a.process.id))
      #expect(memory < 256 * 1024)
    }
  }

  @Test("A peer that sends ten times its share of calls is disconnected")
  func aPeerThatSendsTooMuchIsDisconnected() async throws {
    try await Stage.with { stage in
      // This process is the peer, and may get no processor for seconds.
      let a = try await stage.node("a", "--slots", "4", "--timeout", "60")
      let run = try stage.engage(
        peers: [a.port], "--no-local", "--total", "60", "--scan-seconds", "0.1",
        "--failing-every", "0")
      try await run.completions(by: "a")
      let message = try await MisbehavingMember(of: stage).call(10 * 256, at: a.port)
      #expect(message?.contains("too much under way: calls (257, at most 256 allowed)") == true)
      try await run.outcome().expectEverySectorOnce(of: 60)
      try await a.process.line("too much under way")
    }
  }
}
