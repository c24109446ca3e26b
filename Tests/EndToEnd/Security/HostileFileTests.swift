import Foundation
import SkySQLite
import SkyScan
import Testing

/// Journals and documents made by an attacker: the command names the fault and ends in order.
@Suite("Hostile files", .timeLimit(.ample))
struct HostileFileTests {
  /// Files that once made the program trap, wait for ever, or ask for 137 GB.
  private static let journals = [
    """
    DROP TABLE result;
    CREATE VIEW result AS WITH RECURSIVE endless(task) AS (
      SELECT 0 UNION ALL SELECT task + 1 FROM endless) SELECT task FROM endless
    """,
    """
    CREATE TRIGGER again AFTER INSERT ON process BEGIN
      DELETE FROM result; INSERT INTO system (name, incarnation) VALUES ('a', random()); END
    """,
    "UPDATE result SET task = (1 << 40) - 1 WHERE task = 0",
    "UPDATE result SET attempts = 9223372036854775807",
    "UPDATE result SET seconds = 9e999",
    "UPDATE job SET sectors = (1 << 40) - 1; UPDATE result SET task = (1 << 40) - 2 WHERE task = 0",
  ]

  @Test("A hostile journal is refused", arguments: journals)
  func aHostileJournalIsRefused(sql: String) async throws {
    try await Stage.with { stage in
      let journal = stage.file("run.sqlite")
      let engage = [
        "engage", "--no-discovery", "--total", "5", "--scan-seconds", "0", "--failing-every", "0",
        "--journal", journal,
      ]
      #expect(try await stage.skynet(engage).end().status == 0)
      let database = try Database(journal)
      try database.execute(sql)
      try database.close()
      let before = try Data(contentsOf: URL(fileURLWithPath: journal))
      for arguments in [["runs", journal], ["runs", journal, "--json"], engage] {
        let story = try await Self.bounded(arguments, on: stage).end()
        #expect(story.status == 2 && story.output.isEmpty, "\(story)")
        #expect(story.errors.count == 1, "\(story.errors)")
        #expect(story.errors.first?.hasPrefix("error: \(journal): it is ") == true)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: journal)) == before)
    }
  }

  @Test("A hostile document is refused")
  func aHostileDocumentIsRefused() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 256, height: 256, starCount: 9).write(to: image)
      let (sector, background) = (stage.file("sector.json"), stage.file("background.json"))
      let scan = ["scan", "--image", image, "--background", "--sector", "0", "--output", sector]
      #expect(try await stage.skynet(scan).end().status == 0)
      let merge = ["merge", "--image", image, "--background", "--output", background, sector]
      #expect(try await stage.skynet(merge).end().status == 0)

      let hostile = stage.file("hostile.json")
      let overSectors = ["merge", "--image", image, "--background", hostile]
      let overBackground = ["--image", image, "--background-file", hostile]
      for (file, change, command) in [
        (sector, (#""sector":0"#, #""sector":-1"#), overSectors),
        (sector, (#""sector":0"#, #""sector":9223372036854775807"#), overSectors),
        (
          background, (#""columns":4"#, #""columns":4611686018427387904"#),
          ["scan", "--sector", "0"] + overBackground
        ),
        (
          background, (#""columns":4"#, #""columns":-4"#),
          ["scan", "--sector", "0"] + overBackground
        ),
        (
          background, (#""mesh":[64,64]"#, #""mesh":[0,64]"#),
          ["scan", "--sector", "0"] + overBackground
        ),
        (
          background, (#""side":512"#, #""side":9223372036854775807"#),
          ["merge"] + overBackground + [sector]
        ),
      ] {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try #require(text.contains(change.0), "\(change.0): \(text.prefix(2000))")
        try Data(text.replacing(change.0, with: change.1).utf8)
          .write(to: URL(fileURLWithPath: hostile))
        let story = try await Self.bounded(command, on: stage).end()
        #expect(story.status == 2 && story.output.isEmpty, "\(change): \(story)")
        #expect(story.errors.last?.hasPrefix("error: ") == true, "\(change): \(story.errors)")
      }
      for command in [
        ["merge", "--image", image, "--background", "/dev/zero"],
        ["scan", "--image", image, "--background-file", "/dev/zero", "--sector", "0"],
      ] {
        let story = try await Self.bounded(command, on: stage).end()
        #expect(story.status == 2)
        #expect(story.errors.last?.contains("/dev/zero: has more than") == true, "\(story.errors)")
      }
    }
  }

  /// A sanitizer reserves terabytes of addresses, so under one there is no limit.
  private static let limit = Memory.isInstrumented ? "" : "ulimit -v 8000000; "

  /// Runs the program with 8 GB of address space.
  private static func bounded(_ arguments: [String], on stage: Stage) throws -> RunningProcess {
    try stage.launch(
      "/bin/sh", ["-c", limit + #"exec "$0" "$@""#, Paths.binary] + arguments)
  }
}
