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

  @Test(
    "Programs that read no answers get no more of them, hold little of a node, and miss nothing once they read"
  )
  func unreadAnswers() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "2", "--timeout", "120")
      // 20 MB each: several are more than a node keeps for a program that does not read.
      let script = "echo >>\(stage.file("begun")); head -c 20000000 /dev/zero"
      var runs: [RunningEngagement] = []
      for number in 0..<4 {
        runs.append(
          try stage.engage(
            [a], "--total", "24", "--timeout", "120", "--output",
            stage.file("out\(number)/{}"), "--", "sh", "-c", script))
      }
      for run in runs { try await run.completions(3, by: "a") }
      for run in runs { run.process.send(SIGSTOP) }
      // The node comes to rest.
      var state = ""
      repeat {
        let told = try await stage.stage.skynet(
          "systems", "--json", "--no-discovery", "--peers", "127.0.0.1:\(a.port)"
        ).end()
        state = told.output.first ?? ""
      } while !state.contains(#""running":{}"#)
      let begun = stage.lines(of: "begun").count
      #expect(begun < 80, "of 96")
      let memory = try #require(Memory.ownPages(of: a.process.id))
      #expect(memory < 200 << 10, "\(Memory.text(memory))")
      for run in runs { run.process.send(SIGCONT) }
      for (number, run) in runs.enumerated() {
        let outcome = try await run.outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sizes = try (0..<24).map { sector in
          try FileManager.default.attributesOfItem(atPath: stage.file("out\(number)/\(sector)"))[
            .size]
            as? Int
        }
        #expect(sizes.allSatisfy { $0 == 20_000_000 })
      }
    }
  }

  @Test("A node serves so many connections from one address, whatever they say they are")
  func manyPrograms() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--timeout", "60")
      let member = try MisbehavingMember(of: stage)
      try await member.stay(256, withSlots: 1, at: a.port) {
        let refused = try await stage.skynet(
          "systems", "--no-discovery", "--peers", "127.0.0.1:\(a.port)"
        ).end()
        #expect(
          refused.errors.contains { $0.contains("connections from one address") }, "\(refused)")
      }
      try await stage.engage(peers: [a.port], "--no-local", "--total", "4", "--scan-seconds", "0")
        .outcome().expectEverySectorOnce(of: 4)
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
