import Foundation
import SkyNetCore
import Testing

/// Members that have others hold what they should not.
@Suite(.timeLimit(.minutes(20)))
struct HoldingPeerTests {
  /// All that peers can do wrong at once: those that have others hold too much, and those that answer
  /// what cannot be.
  @Test func theCoordinatorStaysSmallAndTheRunIsWhole() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--insecure", "--slots", "4")
      let holding = try HoldingPeer.allCases.map { try StrangeServer(saying: $0.words) }
      defer { for liar in holding { liar.stop() } }
      let answering = try await Liar.all(Liar.impossibleAnswers, isInsecure: true, on: stage)
      defer { for liar in answering { liar.stop() } }
      let run = try stage.engage(
        peers: holding.map(\.port) + answering.map(\.port) + [a.port], "--insecure", "--no-local",
        "--total", "200", "--scan-seconds", "0.2", "--failing-every", "0")
      let memory = try await Endurance.peakMemory(of: run.process)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 200)
      #expect(outcome.shares == ["a": 200])
      Liar.expectAllNamed(in: outcome)
      Endurance.report("a coordinator among liars", ["held \(Memory.text(memory)) at most"])
      if !Memory.isInstrumented { #expect(memory < 200 * 1024) }
    }
  }

  @Test func aNodeThatIsToHoldTooMuchServesOthers() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--insecure", "--slots", "4")
      let lies = HoldingPeer.allCases.map(\.words)
      let liars = lies.map { words in
        // Those that are not turned out wait for an end that comes with the node's.
        Task { _ = try? await RawConnection.answer(to: words, port: a.port) }
      }
      let run = try stage.engage(
        peers: [a.port], "--insecure", "--no-local", "--total", "200", "--scan-seconds", "0.05",
        "--failing-every", "0")
      try await run.outcome().expectEverySectorOnce(of: 200)
      let memory = try #require(Memory.peak(of: a.process.id))
      Endurance.report("a node among liars", ["held \(Memory.text(memory)) at most"])
      if !Memory.isInstrumented { #expect(memory < 512 * 1024) }
      a.process.send(SIGKILL)
      for liar in liars { await liar.value }
    }
  }
}
