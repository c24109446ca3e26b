import Foundation
import SkyScan
import Testing

/// Catalogues and pictures of runs that did not scan every sector.
@Suite("Incomplete catalogues", .timeLimit(.ample))
struct PartialTests {
  private static let names = ["sources.csv", "sources.ecsv", "sources.fits", "sources.reg"]

  private func outputs(_ stage: Stage) -> [String] {
    Self.names.flatMap { ["--catalog", stage.file($0)] } + ["--picture", stage.file("sky.png")]
  }

  private func data(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Makes an image, and returns options that scan its sectors one by one, so that many are left
  /// when the first are done.
  private func slowSky(_ stage: Stage) async throws -> [String] {
    let image = stage.file("slow.fits")
    try await SyntheticSky(width: 1024, height: 1024, starCount: 200).write(to: image)
    return ["--image", image, "--sector-size", "64", "--slots", "1"]
  }

  /// Makes an image of one sector, and returns options that scan it once, locally.
  private func oneSector(_ stage: Stage) async throws -> [String] {
    let image = stage.file("sky.fits")
    try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: image)
    return ["--image", image]
  }

  private static let remoteAndOnce = ["--no-local", "--attempts", "1"]

  /// A node on which every scan fails.
  private func broken(_ stage: Stage) async throws -> LyingNode {
    let failure = #"{"fault":"task","message":"the shutter is stuck","seconds":0}"#
    return try await LyingNode("broken", handsBack: true, on: stage) { _ in (failure, Data()) }
  }

  @Test("An interrupted run leaves existing catalogues unchanged", arguments: [SIGINT, SIGTERM])
  func anInterruptedRunLeavesTheFiles(signal: Int32) async throws {
    try await Stage.with { stage in
      try Data("old".utf8).write(to: URL(fileURLWithPath: stage.file("sources.csv")))
      let run = try stage.engage(try await slowSky(stage) + outputs(stage))
      try await run.standStill(after: 1, by: "local")
      run.process.send(signal)
      run.process.send(SIGCONT)
      let outcome = try await run.outcome()
      #expect(outcome.status == (signal == SIGINT ? 130 : 143))
      #expect(try data(stage.file("sources.csv")) == Data("old".utf8))
      for name in Self.names.dropFirst() + ["sky.png"] {
        #expect(!FileManager.default.fileExists(atPath: stage.file(name)), "\(name)")
      }
      // The results are a stream: they have the sectors that were done.
      let summary = try outcome.summary
      #expect(summary.completed == outcome.results.count && summary.completed > 0)
      let message = try #require(outcome.errors.first { $0.hasPrefix("left as it was: ") })
      #expect(message.contains("left as it was: \(stage.file("sources.csv")); "), "\(message)")
      #expect(message.contains("not written: \(stage.file("sources.ecsv")), "), "\(message)")
      #expect(message.contains("--journal FILE") && message.contains("--partial"), "\(message)")
    }
  }

  @Test("An incomplete catalogue does not go to standard output")
  func anIncompleteCatalogueDoesNotGoToStandardOutput() async throws {
    try await Stage.with { stage in
      let broken = try await broken(stage)
      defer { broken.stop() }
      let outcome = try await stage.engage(
        peers: [broken.port], try await oneSector(stage) + Self.remoteAndOnce
      ).outcome()
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      let message = try #require(outcome.errors.first { $0.hasPrefix("not written: ") })
      #expect(
        message.hasPrefix("not written: standard output; 1 of 1 sectors have no result; "),
        "\(message)")
    }
  }

  @Test(
    "A run with failed sectors leaves existing catalogues unchanged, and its journal continues it")
  func failedSectorsLeaveTheFiles() async throws {
    try await Stage.with { stage in
      let broken = try await broken(stage)
      defer { broken.stop() }
      let catalog = stage.file("sources.csv")
      try Data("old".utf8).write(to: URL(fileURLWithPath: catalog))
      let journal = stage.file("run.sqlite")
      let options = try await oneSector(stage) + ["--catalog", catalog, "--journal", journal]
      let failed = try await stage.engage(peers: [broken.port], options + Self.remoteAndOnce)
        .outcome()
      #expect(failed.status == 1)
      #expect(try data(catalog) == Data("old".utf8))
      let message = try #require(failed.errors.first { $0.hasPrefix("left as it was: ") })
      #expect(
        message.contains("continues from \(journal), and --retry-failed tries again"), "\(message)")

      let last = try await stage.engage(options + ["--retry-failed"]).outcome()
      #expect(last.status == 0, "\(last.errors)")
      #expect(try data(catalog).starts(with: Data("NUMBER,".utf8)))
    }
  }

  @Test("`--partial` writes a partial catalogue and marks it")
  func aPartIsWrittenOnRequestAndMarked() async throws {
    try await Stage.with { stage in
      let broken = try await broken(stage)
      defer { broken.stop() }
      try Data("old".utf8).write(to: URL(fileURLWithPath: stage.file("sources.csv")))
      let outcome = try await stage.engage(
        peers: [broken.port],
        try await oneSector(stage) + Self.remoteAndOnce + outputs(stage) + ["--partial"]
      ).outcome()
      #expect(outcome.status == 1)
      #expect(try data(stage.file("sources.csv")).starts(with: Data("NUMBER,".utf8)))
      let marks = [
        "sources.ecsv": "# - {PARTIAL: true}", "sources.reg": "# partial: 0 of 1 sectors",
        "sources.fits": "PARTIAL =                    T",
      ]
      for (name, mark) in marks {
        #expect(
          String(decoding: try data(stage.file(name)), as: UTF8.self).contains(mark), "\(name)")
      }
      #expect(try data(stage.file("sky.png")).starts(with: [0x89, 0x50, 0x4e, 0x47]))
      let message = try #require(outcome.errors.first { $0.contains("0 of 1 sectors only") })
      #expect(
        message.hasSuffix("CSV has no place to say so in \(stage.file("sources.csv"))"),
        "\(message)")
    }
  }

  /// The run has no system, so it scans nothing and ends with an error.
  @Test("A run that fails names the files that it left unchanged")
  func aRunThatFailsNamesTheFiles() async throws {
    try await Stage.with { stage in
      let catalog = stage.file("sources.csv")
      try Data("old".utf8).write(to: URL(fileURLWithPath: catalog))
      let outcome = try await stage.engage(
        peers: [1], try await oneSector(stage) + ["--no-local", "--catalog", catalog]
      ).outcome()
      #expect(outcome.status == 2)
      #expect(try data(catalog) == Data("old".utf8))
      #expect(outcome.errors.contains("left as it was: \(catalog)"), "\(outcome.errors)")
      #expect(outcome.errors.last?.hasPrefix("error: no system was found") == true)
    }
  }

  /// The catalogue is complete, and may have taken hours.
  @Test(
    "The catalogue is written even if the results cannot be",
    .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/full"), "no /dev/full here"))
  func theCatalogueIsWrittenWithoutResults() async throws {
    try await Stage.with { stage in
      let catalog = stage.file("sources.csv")
      let story = try await stage.skynet(
        ["engage", "--no-discovery", "--results", "/dev/full", "--catalog", catalog]
          + oneSector(stage)
      ).end()
      #expect(story.status == 2)
      #expect(story.errors.last?.hasPrefix("error: --results: /dev/full ") == true)
      #expect(try data(catalog).starts(with: Data("NUMBER,".utf8)))
    }
  }
}
