import Foundation
import SkyNetCore
import SkySQLite
import SkyScan
import Testing

/// Results of another version of the scan never enter a catalogue.
@Suite("Other versions of a scan", .timeLimit(.ample))
struct ScanVersionTests {
  private let before = ScanKind(name: SourceScan.kind.name, version: SourceScan.kind.version - 1)

  private func sky(_ stage: Stage) async throws -> [String] {
    let path = stage.file("sky.fits")
    try await SyntheticSky(width: 256, height: 128, starCount: 10).write(to: path)
    return ["--image", path, "--sector-size", "64", "--catalog", stage.file("sources.csv")]
  }

  @Test("A node with the previous version of the scan is named and gets no sector")
  func aNodeOfThePreviousVersion() async throws {
    try await Stage.with { stage in
      let old = try await LyingNode("old", kinds: [before], on: stage) { _ in nil }
      defer { old.stop() }
      let outcome = try await stage.engage(
        peers: [old.port], try await sky(stage) + ["--wait-for", "1"]
      ).outcome()
      #expect(outcome.status == 0)
      let line = outcome.errors.first {
        $0.contains("old gets nothing of this run: does not know scans of kind sources/")
      }
      #expect(line?.hasSuffix(": bring both programs to one version") == true, "\(line ?? "")")
      #expect(old.calls.state == 0)
    }
  }

  @Test("A journal of the previous version is refused and stays unchanged")
  func aJournalOfThePreviousVersion() async throws {
    try await Stage.with { stage in
      let journal = stage.file("run.sqlite")
      let options = try await sky(stage) + ["--journal", journal]
      #expect(try await stage.engage(options).outcome().status == 0)
      let database = try Database(journal)
      // JSON may escape a slash with a backslash.
      try database.execute(
        "UPDATE job SET identity = replace(replace(identity, '\\/', '/'), ?, ?)",
        "\(SourceScan.kind)", "\(before)")
      try database.close()
      let catalog = try Data(contentsOf: URL(fileURLWithPath: stage.file("sources.csv")))
      let story = try await stage.skynet(["engage", "--no-discovery"] + options).end()
      #expect(story.status == 2)
      let line = try #require(story.errors.last)
      #expect(line.contains("another job, \(before) of "), "\(line)")
      #expect(line.contains("this one is \(SourceScan.kind) of "), "\(line)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: stage.file("sources.csv"))) == catalog)
    }
  }
}
