import Foundation
import SkyScan
import Testing

/// A process with a low limit on open files does its work or says what it lacks.
@Suite(
  "Processes with few descriptors", .timeLimit(.ample),
  .enabled(if: FewDescriptors.arePossible, FewDescriptors.impossible))
struct FewDescriptorsTests {
  /// Enough even with many processors, each of which has an event loop.
  private static let enough = 512
  private static let limits = Array(12...40) + [enough]

  private static func launch(
    _ limit: Int, _ arguments: [String], on stage: Stage
  ) throws -> RunningProcess {
    try stage.launch(FewDescriptors.program, ["--nofile=\(limit)", Paths.binary] + arguments)
  }

  /// Whether the process could not run, and its last line names the limit.
  private static func saysWhy(_ story: RunningProcess.Story) -> Bool {
    story.status == 2 && story.errors.last?.hasPrefix("error: ") == true
      && story.errors.last?.contains("ulimit -n") == true
  }

  @Test(
    "A node with few descriptors serves or says what it lacks", arguments: limits,
    [[], ["--no-discovery"]])
  func aNodeServesOrSaysWhyNot(limit: Int, options: [String]) async throws {
    try await Stage.with { stage in
      let node = try Self.launch(limit, ["node", "--name", "few-\(limit)"] + options, on: stage)
      let isReady = (try? await node.line(" ready on port ")) != nil
      if isReady { node.send(SIGTERM) }
      let story = try await node.end()
      #expect(isReady ? story.status == 0 : Self.saysWhy(story), "\(story)")
      if limit == Self.enough { #expect(isReady) }
    }
  }

  enum Kind: CaseIterable {
    case withDiscovery, alone, withJournal, ofImage
  }

  @Test(
    "An engagement with few descriptors completes or says what it lacks", arguments: limits,
    Kind.allCases)
  func anEngagementCompletesOrSaysWhyNot(limit: Int, kind: Kind) async throws {
    try await Stage.with { stage in
      let results = stage.file("results")
      let simulated = ["--total", "4", "--scan-seconds", "0", "--failing-every", "0"]
      let options =
        switch kind {
        case .withDiscovery: simulated
        case .alone: simulated + ["--no-discovery"]
        case .withJournal: simulated + ["--no-discovery", "--journal", stage.file("run.sqlite")]
        case .ofImage:
          [
            "--image", try await stage.sky(), "--catalog", stage.file("sources.csv"),
            "--no-discovery",
          ]
        }
      let story = try await Self.launch(
        limit, ["engage", "--results", results] + options, on: stage
      ).end()
      if story.status != 0 {
        #expect(limit != Self.enough && Self.saysWhy(story), "\(story)")
      } else {
        let text = try String(contentsOfFile: results, encoding: .utf8)
        #expect(text.split(separator: "\n").count == (kind == .ofImage ? 1 : 4))
      }
    }
  }
}

extension Stage {
  /// A small image.
  fileprivate func sky() async throws -> String {
    let image = file("sky.fits")
    try await SyntheticSky(width: 256, height: 256, starCount: 9).write(to: image)
    return image
  }
}
