import Foundation
import SkyNetCore
import SkyScan
import Testing

extension LyingNode {
  /// Impossible answers to simulated scans, each with the name of a node that gives it.
  static let impossibleAnswers: [(name: String, lie: FalseAnswer)] = [
    (
      "another-kind",
      { _ in (result(SourceScan.kind.description, #"{"background":{"_0":[]}}"#), Data()) }
    ),
    ("another-sector", { (result("simulated/1", "\"\($0.sector + 1)\""), Data()) }),
    ("no-json", { _ in (String(repeating: "[", count: 1 << 20), Data()) }),
    (
      "endless-text",
      { _ in
        let text = "\"" + String(repeating: "7", count: 1 << 20) + "\""
        return (result("simulated/1", text), Data())
      }
    ),
    (
      "endless-time",
      { task in
        (result("simulated/1", "\"\(task.sector)\"", seconds: "1e308"), Data())
      }
    ),
  ]

  /// One lying node for each of these answers.
  static func all(
    _ answers: [(name: String, lie: FalseAnswer)], isInsecure: Bool = false, on stage: Stage
  ) async throws -> [LyingNode] {
    var lyingNodes: [LyingNode] = []
    for (name, lie) in answers {
      lyingNodes.append(try await LyingNode(name, isInsecure: isInsecure, on: stage, lie))
    }
    return lyingNodes
  }

  /// Expects that the run's output names each of them for an impossible answer.
  static func expectAllNamed(in outcome: Outcome) {
    for (name, _) in impossibleAnswers {
      #expect(
        outcome.errors.contains { $0.contains("failed on \(name): its answer cannot be") },
        "no line names \(name)")
    }
  }
}
