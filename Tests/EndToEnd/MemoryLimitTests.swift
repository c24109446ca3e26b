import Foundation
import SkyScan
import Testing

/// A process that may have little memory.
@Suite(.timeLimit(.minutes(20)))
struct MemoryLimitTests {
  private static let prlimit = "/usr/bin/prlimit"
  private static let canLimit = FileManager.default.isExecutableFile(atPath: prlimit)

  @Test(.enabled(if: canLimit, "needs prlimit, of util-linux"))
  func anImageThatIsTooLargeForItIsToldBeforeItIsRead() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 512, height: 512, starCount: 10).write(to: image)
      let story = try await stage.launch(
        Self.prlimit,
        [
          "--as=\(500 << 20)", Place.binary, "engage", "--no-discovery", "--image", image,
          "--slots",
          "64", "--catalog", stage.file("sources.csv"),
        ]
      ).end()
      #expect(story.status == 2, "\(story.errors)")
      let told = story.errors.last ?? ""
      #expect(
        told.hasPrefix("error: \(image): to scan it takes at least ")
          && told.contains("the limit on its address space (ulimit -v) is 500 MiB"), "\(told)")
    }
  }

  /// Each of its threads would reserve more than it needs.
  @Test(.enabled(if: canLimit, "needs prlimit, of util-linux"))
  func aScanThatFitsIsDone() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 512, height: 512, starCount: 10).write(to: image)
      let story = try await stage.launch(
        Self.prlimit,
        [
          "--as=\(600 << 20)", Place.binary, "engage", "--no-discovery", "--image", image,
          "--slots",
          "4", "--catalog", stage.file("sources.csv"),
        ]
      ).end()
      #expect(story.status == 0, "\(story.errors)")
    }
  }
}
