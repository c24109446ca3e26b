import Foundation
import SkyNetCore
import SkyScan
import Testing

/// The reader process of a run is stopped or killed after it has opened the image and before it
/// reads pixels.
@Suite("The end of the image reader", .timeLimit(.ample))
struct ReaderEndingTests {
  @Test("A reader that is stopped is reported and leaves nothing behind")
  func aReaderThatIsStoppedIsReported() async throws {
    try await Stage.with { stage in
      let image = try await packedImage(stage)
      let (outcome, reader) = try await scan(image, signal: SIGSTOP, on: stage)
      #expect(outcome.status == 1)
      let line = try #require(outcome.errors.first { $0.hasPrefix("gave up 0 ") })
      let fault =
        "its reader did not answer in time: it was stopped, or waited for the disk or a busy machine"
      #expect(line.contains("\(image): \(fault); see whether "), "\(line)")
      #expect(kill(reader, 0) == -1 && errno == ESRCH)
      #expect(!FileManager.default.fileExists(atPath: stage.file("sources.csv")))
    }
  }

  @Test("A reader that is killed between two requests is replaced")
  func aReaderThatIsKilledIsReplaced() async throws {
    try await Stage.with { stage in
      let image = try await packedImage(stage)
      let (outcome, reader) = try await scan(image, signal: SIGKILL, on: stage)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let catalog = try String(contentsOfFile: stage.file("sources.csv"), encoding: .utf8)
      #expect(catalog.split(separator: "\n").count == 1 + 5)
      #expect(kill(reader, 0) == -1 && errno == ESRCH)
    }
  }

  /// Makes a gzipped image, whose pixels only a reader can read.
  private func packedImage(_ stage: Stage) async throws -> String {
    let image = stage.file("sky.fits")
    try await SyntheticSky(width: 128, height: 128, starCount: 5).write(to: image)
    #expect(try await RunningProcess("/bin/gzip", [image]).end().status == 0)
    return image + ".gz"
  }

  @Test("A plain image needs no reader once it is open")
  func aPlainImageNeedsNoReaderAnyMore() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 128, height: 128, starCount: 5).write(to: image)
      let (outcome, _) = try await scan(image, signal: SIGKILL, on: stage)
      #expect(outcome.status == 0)
      let catalog = try String(contentsOfFile: stage.file("sources.csv"), encoding: .utf8)
      #expect(catalog.split(separator: "\n").count == 1 + 5)
    }
  }

  /// Scans an image, sends the reader a signal when the run has begun and no sector is handed out,
  /// and waits for the end.
  private func scan(
    _ image: String, signal: Int32, on stage: Stage
  ) async throws -> (Outcome, reader: Int32) {
    // The first node does not know the scan: its warning shows that the run has begun. The second,
    // stopped until then, makes the run go on.
    let old = try await LyingNode(
      "old", kinds: [ScanKind(name: "sources", version: 1)], on: stage
    ) { _ in nil }
    defer { old.stop() }
    let node = try await stage.node("late")
    node.process.send(SIGSTOP)
    let run = try stage.engage(
      peers: [old.port, node.port], "--no-local", "--timeout", "60", "--image", image,
      "--catalog", stage.file("sources.csv"), "--attempts", "2")
    try await run.process.line(
      "old gets nothing of this run: does not know scans of kind \(SourceScan.kind)")
    let reader = try #require(children(of: run.process.id, named: "skynet-reader").first)
    kill(reader, signal)
    // On a busy machine the signal takes effect after `kill` has returned, and the reader might be asked before.
    while let state = ProcessFields(reader)?[3], !"TtZX".contains(state) {
      try await Endurance.pass(.milliseconds(20))
    }
    node.process.send(SIGCONT)
    return (try await run.outcome(), reader)
  }
}
