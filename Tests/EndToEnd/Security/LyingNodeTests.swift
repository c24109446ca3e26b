import Foundation
import SkyNetCore
import SkyScan
import Testing

/// A node's impossible answer fails its attempt, and nothing else.
@Suite("Nodes with impossible answers", .timeLimit(.ample))
struct LyingNodeTests {
  /// The most memory that the coordinator may use, in KiB.
  private static let memory = 200 * 1024

  @Test("A run with lying nodes has every result")
  func aRunAmongLiarsHasEveryResult() async throws {
    try await Stage.with { stage in
      let lyingNodes = try await LyingNode.all(LyingNode.impossibleAnswers, on: stage)
      defer { for lyingNode in lyingNodes { lyingNode.stop() } }
      let run = try stage.engage(
        peers: lyingNodes.map(\.port), "--total", "200", "--slots", "4", "--scan-seconds", "0.2",
        "--failing-every", "0", "--wait-for", "\(lyingNodes.count)", "--timeout", LyingNode.timeout)
      let outcome = try await outcome(of: run)
      try outcome.expectEverySectorOnce(of: 200)
      #expect(outcome.shares == ["local": 200])
      LyingNode.expectAllNamed(in: outcome)
    }
  }

  private static let findings: [(name: String, lie: LyingNode.FalseAnswer)] = [
    (
      "meshes",
      { task in
        // Whether there is a sky, its level, and its noise.
        let numbers = [1e300, 1].flatMap { number in
          withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
        }
        let skies = Array(repeating: [1] + numbers, count: task.pass == 0 ? 1 : 100_000)
        let bytes = Data(skies.joined())
        return (
          LyingNode.result(
            SourceScan.kind.description,
            #"{"background":{"_0":{"offset":0,"count":\#(bytes.count)}}}"#), bytes
        )
      }
    ),
    (
      "crowded",
      { task in
        // Large answers are given only in the passes that could accept them, since each takes long
        // to read.
        guard task.pass > 0 else { return (sources(), Data()) }
        let box = #"{"first":{"row":1,"column":1},"box":{"columns":[1,9],"rows":[1,9]}}"#
        let boxes = Array(repeating: box, count: 200_000).joined(separator: ",")
        return (sources(crowded: "[\(boxes)]"), Data())
      }
    ),
    (
      "areas",
      { task in
        let sums =
          #"{"area":9223372036854775807,"peak":1,"isSaturated":false,"flux":1,"variance":1,"#
          + #""weight":1,"x":1,"y":1,"xx":1,"yy":1,"xy":1}"#
        let fragment =
          #"{"box":{"columns":[1,2],"rows":[1,2]},"first":{"row":1,"column":1},"outline":[],"#
          + #""outside":[],"sums":\#(sums)}"#
        return (sources(fragments: "[\(fragment),\(fragment)]"), Data())
      }
    ),
    ("no-number", { _ in (sources(bytes: 1 << 20), Data(repeating: 0xFF, count: 1 << 20)) }),
    ("zeros", { _ in (sources(bytes: 1 << 20), Data(count: 1 << 20)) }),
  ]

  private static func sources(
    bytes: Int = 0, fragments: String = "[]", crowded: String = "[]"
  ) -> String {
    LyingNode.result(
      SourceScan.kind.description,
      #"{"sources":{"_0":{"offset":0,"count":\#(bytes)},"fragments":\#(fragments),"#
        + #""crowded":\#(crowded)}}"#)
  }

  @Test("An image scanned with lying nodes has the same catalogue")
  func anImageAmongLiarsHasTheSameCatalogue() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 1280, height: 640, starCount: 300).write(to: image)
      let (here, there) = (stage.file("here.csv"), stage.file("there.csv"))
      let options = ["--image", image, "--sector-size", "64", "--slots", "2", "--catalog"]
      let alone = try await stage.engage(options + [here]).outcome()
      #expect(alone.status == 0 && alone.results.count == 200)

      let lyingNodes = try await LyingNode.all(Self.findings, on: stage)
      defer { for lyingNode in lyingNodes { lyingNode.stop() } }
      let run = try stage.engage(
        peers: lyingNodes.map(\.port),
        options + [there, "--wait-for", "\(lyingNodes.count)", "--timeout", LyingNode.timeout])
      let outcome = try await outcome(of: run)
      #expect(outcome.status == 0, "\(outcome.errors.suffix(3))")
      #expect(outcome.results.count == 200 && outcome.shares == ["local": 200])
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: here))
          == Data(contentsOf: URL(fileURLWithPath: there)))
    }
  }

  /// Waits for the run's end, and expects that it used little memory.
  private func outcome(of run: RunningEngagement) async throws -> Outcome {
    let peak = try await Endurance.peakMemory(of: run.process)
    if !Memory.isInstrumented { #expect(peak < Self.memory, "\(Memory.text(peak))") }
    return try await run.outcome()
  }
}
