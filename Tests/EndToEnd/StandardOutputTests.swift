import Foundation
import SkyScan
import Testing

/// Every command that writes to standard output, with one that is full or that its reader has
/// closed.
@Suite("Full and closed standard output", .timeLimit(.ample))
struct StandardOutputTests {
  /// Makes the commands' inputs: an image, a journal, a background and a sector's sources.
  private func prepare(_ stage: Stage) async throws -> [[String]] {
    let image = stage.file("sky.fits")
    try await SyntheticSky(width: 256, height: 256, starCount: 10).write(to: image)
    let (journal, background) = (stage.file("run.sqlite"), stage.file("background.json"))
    let (sky, sources) = (stage.file("sky.json"), stage.file("sources.json"))
    let engage = ["engage", "--no-discovery", "--failing-every", "0", "--scan-seconds", "0"]
    let steps = [
      engage + ["--total", "2", "--journal", journal],
      ["scan", "--image", image, "--background", "--sector", "0", "--output", sky],
      ["merge", "--image", image, "--background", "--output", background, sky],
      [
        "scan", "--image", image, "--background-file", background, "--sector", "0", "--output",
        sources,
      ],
    ]
    for step in steps {
      let story = try await stage.skynet(step).end()
      try #require(story.status == 0, "\(step): \(story.errors)")
    }
    return [
      engage + ["--total", "50", "--json"],
      engage + ["--total", "50", "--results", "-"],
      ["engage", "--no-discovery", "--image", image],
      ["runs", journal], ["runs", journal, "--json"],
      ["systems", "--no-discovery", "--wait", "0.01"],
      ["watch", "--no-discovery", "--peers", "127.0.0.1:1", "--once", "--wait", "0.5"],
      ["watch", "--no-discovery", "--peers", "127.0.0.1:1", "--interval", "0.5"],
      ["scan", "--image", image, "--count"],
      ["scan", "--image", image, "--background", "--sector", "0"],
      ["scan", "--image", image, "--background-file", background, "--sector", "0"],
      ["merge", "--image", image, "--background", sky],
      ["merge", "--image", image, "--background-file", background, sources],
      ["key", "show"], ["key", "path"],
    ]
  }

  private func end(_ script: String, _ arguments: [String], _ stage: Stage) async throws
    -> RunningProcess.Story
  {
    try await stage.launch("/bin/sh", ["-c", script, "sh", Paths.binary] + arguments).end()
  }

  @Test("`--results -` writes each sector's result to standard output, and nothing else")
  func resultsGoToStandardOutput() async throws {
    try await Stage.with { stage in
      let story = try await stage.skynet(
        "engage", "--no-discovery", "--scan-seconds", "0", "--failing-every", "0", "--total", "50",
        "--results", "-"
      ).end()
      #expect(story.status == 0)
      let sectors = try story.output.map { line in
        try JSONDecoder().decode(SectorNumber.self, from: Data(line.utf8)).sector
      }
      #expect(sectors.sorted() == Array(0..<50))
      #expect(story.errors.last?.hasPrefix("50 of 50 sectors in ") == true)
      #expect(!FileManager.default.fileExists(atPath: "-"))
    }
  }

  private struct SectorNumber: Decodable { let sector: Int }

  @Test("A run that is told nothing of the scan says that it simulates")
  func aBareRunSaysThatItSimulates() async throws {
    try await Stage.with { stage in
      let run = try stage.skynet("engage", "--no-discovery")
      try await run.line(
        "simulating 20 sectors: give -- PROGRAM for programs, --image FILE for the scan of an image, "
      )
      #expect(try await run.end().status == 0)
    }
  }

  @Test("A full standard output is reported in plain words")
  func aFullOutputIsReported() async throws {
    try await Stage.with { stage in
      for command in try await prepare(stage) {
        let story = try await end(#""$@" > /dev/full"#, command, stage)
        #expect(story.status == 2, "\(command): \(story.errors)")
        let message = story.errors.last ?? ""
        #expect(
          message.hasPrefix("error: ") && message.contains("standard output is full"), "\(message)")
        #expect(!story.errors.joined().contains("NSCocoaErrorDomain"))
      }
    }
  }

  @Test("A closed standard output ends every command with the same error")
  func aClosedOutputEndsEveryCommand() async throws {
    try await Stage.with { stage in
      for command in try await prepare(stage) {
        let story = try await closedOutput(command, stage)
        #expect(story.status == 2, "\(command): \(story.errors)")
        let message = story.errors.last ?? ""
        #expect(
          message.hasPrefix("error: ")
            && message.contains("standard output was closed before everything was written"),
          "\(message)")
      }
    }
  }

  @Test("A closed standard output ends a run with peers with the same error")
  func aClosedOutputEndsARunWithPeers() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let story = try await closedOutput(
        [
          "engage", "--no-discovery", "--peers", "127.0.0.1:\(a.port)", "--wait-for", "1",
          "--total",
          "50", "--scan-seconds", "0", "--failing-every", "0", "--json",
        ], stage)
      #expect(story.status == 2, "\(story.errors)")
      #expect(
        story.errors.last?.contains("standard output was closed before everything was written")
          == true, "\(story.errors)")
    }
  }

  /// Runs a command with a standard output whose only reader has closed it.
  private func closedOutput(_ command: [String], _ stage: Stage) async throws
    -> RunningProcess.Story
  {
    let pipe = stage.file("pipe-\(UUID().uuidString)")
    // The pipe is opened for reading and writing first, which does not block, and then for writing
    // only, so that no reader is left.
    let script = #"mkfifo "$1"; exec 3<>"$1"; exec 4>"$1"; exec 3<&-; shift; exec "$@" >&4"#
    return try await stage.launch("/bin/sh", ["-c", script, "sh", pipe, Paths.binary] + command)
      .end()
  }
}
