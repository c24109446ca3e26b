import Foundation
import SkyScan
import Testing

/// Commands under a memory limit.
@Suite("Processes with little memory", .timeLimit(.ample))
struct MemoryLimitTests {
  private static let prlimit = "/usr/bin/prlimit"
  /// A sanitizer reserves terabytes of addresses.
  private static let canLimit =
    FileManager.default.isExecutableFile(atPath: prlimit) && !Memory.isInstrumented

  /// Scans an image with this many slots, in a process with this limit on its address space.
  private func scan(
    megabytes: Int, slots: Int, _ expect: (RunningProcess.Story, _ image: String) -> Void
  ) async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 512, height: 512, starCount: 10).write(to: image)
      let story = try await stage.launch(
        Self.prlimit,
        [
          "--as=\(megabytes << 20)", Paths.binary, "engage", "--no-discovery", "--image", image,
          "--slots", "\(slots)", "--catalog", stage.file("sources.csv"),
        ]
      ).end()
      expect(story, image)
    }
  }

  @Test(
    "An image that is too large for the memory limit is refused before it is read",
    .enabled(if: canLimit, "needs prlimit, of util-linux"))
  func anImageThatIsTooLargeIsRefused() async throws {
    try await scan(megabytes: 500, slots: 64) { story, image in
      #expect(story.status == 2, "\(story.errors)")
      let message = story.errors.last ?? ""
      #expect(
        message.hasPrefix("error: \(image): to scan it takes at least ")
          && message.contains("the limit on its address space (ulimit -v) is 500 MiB"), "\(message)"
      )
    }
  }

  /// Each thread of the C library would reserve an arena, far more than it needs, and there is one
  /// for each core.
  @Test(
    "A scan that fits into the memory limit completes",
    .enabled(if: canLimit, "needs prlimit, of util-linux"))
  func aScanThatFitsCompletes() async throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    try await scan(megabytes: 600 + 16 * cores, slots: 4) { story, _ in
      #expect(story.status == 0, "\(story.errors)")
    }
  }

  /// Both are needed early: the sectors' bytes before the first hand-out, the threads' stacks
  /// before the first scan.
  @Test(
    "Sectors and slots that do not fit are refused before memory is allocated",
    .enabled(if: canLimit, "needs prlimit, of util-linux"),
    arguments: [
      ("--as=\(700 << 20)", ["engage", "--no-discovery", "--sector-bytes", "1000000000"]),
      ("--data=\(700 << 20)", ["engage", "--no-discovery", "--sector-bytes", "1000000000"]),
      ("--as=\(700 << 20)", ["engage", "--no-discovery", "--slots", "100"]),
      ("--as=\(700 << 20)", ["node", "--no-discovery", "--slots", "100"]),
    ])
  func whatDoesNotFitIsRefused(limit: String, command: [String]) async throws {
    try await Stage.with { stage in
      let story = try await stage.launch(Self.prlimit, [limit, Paths.binary] + command).end()
      #expect(story.status == 2, "\(story.errors)")
      let message = story.errors.last ?? ""
      #expect(message.hasPrefix("error: ") && message.contains("MiB: raise that"), "\(message)")
    }
  }

  /// Each refusal names what is needed, so with that much the command gets further. What a command has not counted
  /// would end it by a signal.
  @Test(
    "A run with a journal, a page and metrics completes with the memory that its refusals name",
    .enabled(if: canLimit, "needs prlimit, of util-linux"))
  func refusalsNameEnough() async throws {
    try await Stage.with { stage in
      var mebibytes = 150
      for attempt in 1...6 {
        let story = try await stage.launch(
          Self.prlimit,
          [
            "--as=\(mebibytes << 20)", Paths.binary, "engage", "--no-discovery", "--total", "8",
            "--slots", "4", "--scan-seconds", "0.01", "--failing-every", "0", "--web", "--metrics",
            "--journal", stage.file("journal-\(attempt)"),
          ]
        ).end()
        if story.status == 0 { return }
        #expect(story.status == 2, "\(mebibytes) MiB: \(story.errors)")
        let message = story.errors.last ?? ""
        let named = try #require(
          message.firstMatch(of: #/takes at least (\d+) MiB/#).flatMap { Int($0.1) }, "\(message)")
        #expect(named > mebibytes)
        mebibytes = named
      }
      Issue.record("it was refused with what it named: \(mebibytes) MiB")
    }
  }

  /// A command whose libraries can be loaded has enough memory to print the error.
  @Test(
    "A command with too little memory to begin says so",
    .enabled(if: canLimit, "needs prlimit, of util-linux"))
  func aCommandThatCannotBeginSaysSo() async throws {
    try await Stage.with { stage in
      for mebibytes in stride(from: 16, to: 1024, by: 4) {
        let story = try await stage.launch(
          Self.prlimit, ["--as=\(mebibytes << 20)", Paths.binary, "help"]
        ).end()
        // Not even the loader, a library's initializer or prlimit itself could begin.
        if story.status == 127 || story.output.isEmpty && story.errors.isEmpty { continue }
        if story.errors.first?.hasPrefix("Error in GnuTLS initialization") == true { continue }
        #expect(story.status == 2, "\(mebibytes) MiB: \(story)")
        let message = story.errors.last ?? ""
        #expect(
          message.hasPrefix("error: to begin takes at least "), "\(mebibytes) MiB: \(message)")
        return
      }
      Issue.record("it never began")
    }
  }
}
