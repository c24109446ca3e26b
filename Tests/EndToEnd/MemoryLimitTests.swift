import Foundation
import SkyScan
import Testing

/// A process that may have little memory.
@Suite(.timeLimit(.minutes(20)))
struct MemoryLimitTests {
  private static let prlimit = "/usr/bin/prlimit"
  /// A sanitizer takes terabytes of addresses for itself.
  private static let canLimit =
    FileManager.default.isExecutableFile(atPath: prlimit) && !Memory.isInstrumented

  /// Scans an image with so many slots, in a process that may have so much address space.
  private func scan(
    megabytes: Int, slots: Int, _ expect: (Running.Story, _ image: String) -> Void
  ) async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 512, height: 512, starCount: 10).write(to: image)
      let story = try await stage.launch(
        Self.prlimit,
        [
          "--as=\(megabytes << 20)", Place.binary, "engage", "--no-discovery", "--image", image,
          "--slots", "\(slots)", "--catalog", stage.file("sources.csv"),
        ]
      ).end()
      expect(story, image)
    }
  }

  @Test(.enabled(if: canLimit, "needs prlimit, of util-linux"))
  func anImageThatIsTooLargeForItIsToldBeforeItIsRead() async throws {
    try await scan(megabytes: 500, slots: 64) { story, image in
      #expect(story.status == 2, "\(story.errors)")
      let told = story.errors.last ?? ""
      #expect(
        told.hasPrefix("error: \(image): to scan it takes at least ")
          && told.contains("the limit on its address space (ulimit -v) is 500 MiB"), "\(told)")
    }
  }

  /// Each of its threads would reserve more than it needs; there is one for each core too.
  @Test(.enabled(if: canLimit, "needs prlimit, of util-linux"))
  func aScanThatFitsIsDone() async throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    try await scan(megabytes: 600 + 16 * cores, slots: 4) { story, _ in
      #expect(story.status == 0, "\(story.errors)")
    }
  }

  /// What simulated sectors carry is made before the first is handed out, and threads with their
  /// stacks before the first is scanned.
  @Test(
    .enabled(if: canLimit, "needs prlimit, of util-linux"),
    arguments: [
      ("--as=\(700 << 20)", ["engage", "--no-discovery", "--sector-bytes", "1000000000"]),
      ("--data=\(700 << 20)", ["engage", "--no-discovery", "--sector-bytes", "1000000000"]),
      ("--as=\(700 << 20)", ["engage", "--no-discovery", "--slots", "100"]),
      ("--as=\(700 << 20)", ["node", "--no-discovery", "--slots", "100"]),
    ])
  func whatCannotFitIsToldBeforeItIsMade(limit: String, command: [String]) async throws {
    try await Stage.with { stage in
      let story = try await stage.launch(Self.prlimit, [limit, Place.binary] + command).end()
      #expect(story.status == 2, "\(story.errors)")
      let told = story.errors.last ?? ""
      #expect(told.hasPrefix("error: ") && told.contains("MiB: raise that"), "\(told)")
    }
  }

  /// As soon as its libraries can be loaded, a command has the memory to say that it has too little.
  @Test(.enabled(if: canLimit, "needs prlimit, of util-linux"))
  func aCommandThatCannotBeginSaysSo() async throws {
    try await Stage.with { stage in
      for mebibytes in stride(from: 16, to: 1024, by: 4) {
        let story = try await stage.launch(
          Self.prlimit, ["--as=\(mebibytes << 20)", Place.binary, "--version"]
        ).end()
        // The loader, or prlimit itself, cannot begin.
        if story.status == 127 || story.output.isEmpty && story.errors.isEmpty { continue }
        #expect(story.status == 2, "\(mebibytes) MiB: \(story)")
        let told = story.errors.last ?? ""
        #expect(told.hasPrefix("error: to begin takes at least "), "\(mebibytes) MiB: \(told)")
        return
      }
      Issue.record("it never began")
    }
  }
}
