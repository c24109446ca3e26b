import Foundation
import SkyNetCore
import SkyScan
import Testing

/// The reader of a run that is stopped or killed when its image is open and none of it is read: the run
/// ends, with reasons, and leaves nothing behind.
@Suite(.timeLimit(.minutes(10)))
struct ReaderEndingTests {
  @Test(
    arguments: [
      (
        SIGSTOP,
        "its reader did not answer in time: it was stopped, or waited for the disk or a busy machine"
      ),
      (SIGKILL, "its reader was killed from outside"),
    ])
  func aReaderThatIsStoppedOrKilledIsToldOfAndLeavesNothing(
    signal: Int32, fault: String
  ) async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 128, height: 128, starCount: 5).write(to: image)
      // One that does not know the scan shows that the run has begun, and another, which is stopped until
      // then, that it goes on.
      let old = try await Liar(
        "old", kinds: [ScanKind(name: "sources", version: 1)], on: stage
      ) { _ in nil }
      defer { old.stop() }
      let node = try await stage.node("late")
      node.process.send(SIGSTOP)
      let run = try stage.engage(
        peers: [old.port, node.port], "--no-local", "--timeout", "60", "--image", image,
        "--catalog", stage.file("sources.csv"), "--attempts", "2")
      try await run.process.line("old does not know scans of kind sources/2")
      let reader = try #require(children(of: run.process.id, named: "skynet-reader").first)
      kill(reader, signal)
      node.process.send(SIGCONT)
      let outcome = try await run.outcome()
      #expect(outcome.status == 1)
      let line = try #require(outcome.errors.first { $0.hasPrefix("gave up 0 ") })
      #expect(line.contains("\(image): \(fault); see whether "), "\(line)")
      #expect(kill(reader, 0) == -1 && errno == ESRCH)
      #expect(!FileManager.default.fileExists(atPath: stage.file("sources.csv")))
    }
  }
}
