import Foundation
import SkyNetCore
import Testing

/// Members that make others hold too much memory.
@Suite("Peers that use up memory", .timeLimit(.ample))
struct HoldingPeerTests {
  /// Every kind of misbehaving peer at once: those that use up memory, and those that give
  /// impossible answers.
  @Test("Peers that use up memory leave the coordinator small and the run complete")
  func theCoordinatorStaysSmall() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--insecure", "--slots", "4")
      let holding = try HoldingPeer.allCases.map { try ForeignServer(saying: $0.words) }
      defer { for lyingNode in holding { lyingNode.stop() } }
      let answering = try await LyingNode.all(
        LyingNode.impossibleAnswers, isInsecure: true, on: stage)
      defer { for lyingNode in answering { lyingNode.stop() } }
      let run = try stage.engage(
        peers: holding.map(\.port) + answering.map(\.port) + [a.port], "--insecure", "--no-local",
        "--total", "200", "--scan-seconds", "0.2", "--failing-every", "0", "--timeout",
        LyingNode.timeout)
      let memory = try await Endurance.peakMemory(of: run.process)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 200)
      #expect(outcome.shares == ["a": 200])
      LyingNode.expectAllNamed(in: outcome)
      Endurance.report("a coordinator among lying nodes", ["held \(Memory.text(memory)) at most"])
      if !Memory.isInstrumented { #expect(memory < 200 * 1024) }
    }
  }

  @Test("A node whose peers use up memory serves the others")
  func aNodeServesOtherPeers() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--insecure", "--slots", "4")
      let lies = HoldingPeer.allCases.map(\.words)
      let lyingNodes = lies.map { words in
        // A peer that the node does not disconnect waits until the node ends.
        Task { _ = try? await RawConnection.answer(to: words, port: a.port) }
      }
      let run = try stage.engage(
        peers: [a.port], "--insecure", "--no-local", "--total", "200", "--scan-seconds", "0.05",
        "--failing-every", "0")
      try await run.outcome().expectEverySectorOnce(of: 200)
      let memory = try #require(Memory.peak(of: a.process.id))
      Endurance.report("a node among lying nodes", ["held \(Memory.text(memory)) at most"])
      if !Memory.isInstrumented { #expect(memory < 512 * 1024) }
      a.process.send(SIGKILL)
      for lyingNode in lyingNodes { await lyingNode.value }
    }
  }
}
