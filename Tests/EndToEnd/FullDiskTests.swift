import Foundation
import Testing

/// A journal on a disk that fills up: a small one in memory, in its own mount namespace.
@Suite("Full disks", .timeLimit(.ample))
struct FullDiskTests {
  private static let canMount =
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")

  @Test(
    "A full disk ends a run with a journal, and the run resumes when there is room",
    .enabled(if: canMount, "needs root and unshare to make a small disk"))
  func aFullDiskEndsTheRunAndRoomLetsItGoOn() async throws {
    try await Stage.with { stage in
      let disk = stage.file("disk")
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
      let engage = """
        "$1" engage --no-discovery --total 2000 --scan-seconds 0 --failing-every 0 \
        --journal "$2/run.sqlite"
        """
      let script = """
        mount -t tmpfs -o size=512k none "$2" || exit 77
        \(engage); echo "first $?" >&2
        "$1" runs "$2/run.sqlite" --json
        \(engage); echo "second $?" >&2
        mount -o remount,size=64m "$2"
        \(engage) --json; echo "third $?" >&2
        "$1" runs "$2/run.sqlite" --json
        """
      let run = try stage.launch(
        "/usr/bin/unshare", ["-m", "sh", "-c", script, "sh", Paths.binary, disk])
      let story = try await run.end()
      let errors = story.errors
      let full = errors.filter { $0.hasPrefix("error: ") && $0.contains("full") }
      #expect(full.count == 2, "\(errors)")
      #expect(full.first?.contains("everything recorded until now is kept") == true)
      for line in ["first 2", "second 2", "third 0"] {
        #expect(errors.contains(line), "\(line): \(errors.suffix(5))")
      }
      // The full disk counts as no attempt's failure.
      #expect(!errors.contains { $0.hasPrefix("gave up ") || $0.hasPrefix("re-run ") })
      #expect(story.output.count { $0.hasPrefix(#"{"sector":"#) } == 2000)
      let overviews = story.output.filter { $0.hasPrefix(#"{"attempts":"#) }
      #expect(overviews.count == 2 && overviews.allSatisfy { $0.contains(#""deaths":0"#) })
    }
  }
}
