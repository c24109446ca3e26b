import Foundation
import SkyNetCore
import SkyScan
import Testing

/// Nodes whose answers cannot be: each fails its attempt, and nothing else.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct LyingNodeTests {
  /// What the coordinator may hold, in KiB.
  private static let memory = 200 * 1024

  @Test func aRunAmongLiarsHasEveryResult() async throws {
    try await Stage.with { stage in
      let liars = try await Liar.all(Liar.impossibleAnswers, on: stage)
      defer { for liar in liars { liar.stop() } }
      let run = try stage.engage(
        peers: liars.map(\.port), "--total", "200", "--slots", "4", "--scan-seconds", "0.2",
        "--failing-every", "0", "--wait-for", "\(liars.count)")
      let outcome = try await outcome(of: run)
      try outcome.expectEverySectorOnce(of: 200)
      #expect(outcome.shares == ["local": 200])
      Liar.expectAllNamed(in: outcome)
    }
  }

  private static let findings: [(name: String, lie: Liar.Lie)] = [
    (
      "meshes",
      { task in
        let sky = #"{"level":1e300,"noise":1}"#
        let skies =
          "["
          + Array(repeating: sky, count: task.pass == 0 ? 1 : 100_000)
          .joined(separator: ",") + "]"
        return (
          Liar.result(SourceScan.kind.description, #"{"background":{"_0":\#(skies)}}"#), Data()
        )
      }
    ),
    (
      "crowded",
      { task in
        // Only where it could be believed: each of these takes its time to read.
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
    Liar.result(
      SourceScan.kind.description,
      #"{"sources":{"_0":{"offset":0,"count":\#(bytes)},"fragments":\#(fragments),"#
        + #""crowded":\#(crowded)}}"#)
  }

  @Test func anImageAmongLiarsHasTheSameCatalogue() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 1280, height: 640, starCount: 300).write(to: image)
      let (here, there) = (stage.file("here.csv"), stage.file("there.csv"))
      let options = ["--image", image, "--sector-size", "64", "--slots", "2", "--catalog"]
      let alone = try await stage.engage(options + [here]).outcome()
      #expect(alone.status == 0 && alone.results.count == 200)

      let liars = try await Liar.all(Self.findings, on: stage)
      defer { for liar in liars { liar.stop() } }
      let run = try stage.engage(
        peers: liars.map(\.port), options + [there, "--wait-for", "\(liars.count)"])
      let outcome = try await outcome(of: run)
      #expect(outcome.status == 0, "\(outcome.errors.suffix(3))")
      #expect(outcome.results.count == 200 && outcome.shares == ["local": 200])
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: here))
          == Data(contentsOf: URL(fileURLWithPath: there)))
    }
  }

  /// Its end; and what it held until then.
  private func outcome(of run: Engaging) async throws -> Outcome {
    let peak = try await Endurance.peakMemory(of: run.process)
    if !Memory.isInstrumented { #expect(peak < Self.memory, "\(Memory.text(peak))") }
    return try await run.outcome()
  }
}
