import Foundation
import Testing

/// Programs that write more than they may, and files of outputs.
@Suite("The outputs of programs", .timeLimit(.ample))
struct ProgramOutputTests {
  @Test("A program that fills its output is ended at the limit, and its sector given up at once")
  func endless() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      let outcome = try await stage.engage(
        [a], "--total", "3", "--", "sh", "-c", "test {} != 1 || exec yes; printf %s {}"
      ).outcome()
      #expect(outcome.status == 1 && outcome.texts == [0: "0", 2: "2"])
      let failed = try #require(outcome.results.first { $0.sector == 1 })
      #expect(failed.attempts == 1)
      let reason = try #require(outcome.reasons.first)
      #expect(reason.contains("longer than 16 MiB") && reason.contains("--output"), "\(reason)")
      try await stage.marked.idle()
      let peak = try #require(Memory.peak(of: a.process.id))
      #expect(peak < (Memory.isInstrumented ? 1024 : 256) << 10, "\(Memory.text(peak))")
    }
  }

  @Test("A program that fills its standard error goes on, and its end is kept")
  func endlessErrors() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      let outcome = try await stage.engage(
        [a], "--total", "2", "--attempts", "1", "--", "sh", "-c",
        "yes | head -c 50000000 >&2; echo last >&2; test {} = 0 && printf 0"
      ).outcome()
      #expect(outcome.status == 1 && outcome.texts == [0: "0"])
      let reason = try #require(outcome.reasons.first)
      #expect(reason.hasSuffix("last") && reason.utf8.count < 5000)
    }
  }

  @Test("Large outputs become files, whole or not at all")
  func files() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      let outcome = try await stage.engage(
        [a], "--total", "3", "--attempts", "1", "--output", stage.file("out/{}.bin"), "--", "sh",
        "-c",
        "head -c 30000000 /dev/zero; test {} != 1"
      ).outcome()
      #expect(outcome.status == 1)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: stage.file("out")).sorted() == [
          "0.bin", "2.bin",
        ])
      for name in ["0", "2"] {
        let data = try Data(contentsOf: URL(fileURLWithPath: stage.file("out/\(name).bin")))
        #expect(data.count == 30_000_000)
      }
    }
  }

  @Test(
    "A list that has grown at its beginning is continued, and each output has its own file, for which what moved runs again"
  )
  func grownList() async throws {
    try await ProgramStage.with { stage in
      let script = try stage.script("scan.sh", #"echo "$1" >>"$2"; printf %s "$1""#)
      func engage() throws -> RunningEngagement {
        try stage.engage(
          [], "--inputs-from", stage.file("list"), "--journal", stage.file("run.sqlite"),
          "--output", stage.file("out/{#}"), "--", script, "{}", stage.file("starts"))
      }
      try stage.write("a\nb\n", to: "list")
      #expect(try await engage().outcome().status == 0)
      try stage.write("c\nb\na\n", to: "list")
      #expect(try await engage().outcome().status == 0)
      #expect(try (1...3).map { try stage.read("out/\($0)") } == ["c", "b", "a"])
      #expect(stage.lines(of: "starts").sorted() == ["a", "a", "b", "c"])
    }
  }

  @Test("No output replaces a file of the run, or the program: the others have theirs")
  func runsOwnFiles() async throws {
    try await ProgramStage.with { stage in
      let program = try stage.script("2", #"printf %s "$1""#)
      let before = try stage.read("2")
      let outcome = try await stage.engage(
        [], "--total", "4", "--journal", stage.file("1"), "--output", stage.file("{}"), "--",
        program, "{}"
      ).outcome()
      #expect(outcome.status == 1)
      #expect(outcome.results.filter { $0.error != nil }.map(\.sector).sorted() == [1, 2])
      #expect(outcome.reasons.contains { $0.contains("--journal") })
      #expect(try stage.read("2") == before)
      #expect(try stage.read("0") == "0" && stage.read("3") == "3")
    }
  }

  @Test("An input whose output can have no file fails alone, before its program runs")
  func impossibleNames() async throws {
    try await ProgramStage.with { stage in
      let script = try stage.script("scan.sh", #"echo "$1" >>"$2"; printf %s "$1""#)
      let long = String(repeating: "x", count: 300)
      let outcome = try await stage.engage(
        [], "--slots", "1", "--inputs", "a", long, "a.txt/b", "c", "--output",
        stage.file("out/{}.txt"), "--", script, "{}", stage.file("starts")
      ).outcome()
      #expect(outcome.status == 1)
      #expect(try stage.read("out/a.txt") == "a" && stage.read("out/c.txt") == "c")
      #expect(stage.lines(of: "starts").sorted() == ["a", "c"])
      let failed = outcome.results.filter { $0.error != nil }
      #expect(failed.count == 2 && failed.allSatisfy { $0.attempts <= 1 }, "\(outcome.reasons)")
    }
  }

  @Test("Bytes that are no text are refused without a retry, and the remedy is named")
  func bytes() async throws {
    try await ProgramStage.with { stage in
      let outcome = try await stage.engage(
        [], "--total", "1", "--", "printf", #"\377\376"#
      ).outcome()
      #expect(outcome.status == 1 && outcome.results.first?.attempts == 1)
      #expect(outcome.reasons.first?.contains("--output") == true)
    }
  }

  private static let canMount =
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")

  /// A small disk in memory, in a mount namespace of the node's own.
  @Test(
    "A program that fills its disk fails, others go on, and the room is there again",
    .enabled(if: canMount, "needs root and unshare to make a small disk"))
  func fullDisk() async throws {
    try await ProgramStage.with { stage in
      let disk = stage.file("disk")
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
      let script = """
        mount -t tmpfs -o size=4m none "$TMPDIR" && exec "$0" node --name a --slots 1 --host 127.0.0.1 --no-discovery
        """
      let a = try await RunningNode(
        stage.stage.launch(
          "/usr/bin/unshare", ["-m", "sh", "-c", script, Paths.binary],
          stage.marked.environment.merging(["TMPDIR": disk]) { $1 }))
      let outcome = try await stage.engage(
        [a], "--total", "6", "--attempts", "2", "--directory", "empty", "--", "sh", "-c",
        "test {} != 2 || exec head -c 8000000 /dev/zero >file; head -c 3000000 /dev/zero >file; printf %s {}"
      ).outcome()
      #expect(outcome.status == 1)
      #expect(outcome.texts == [0: "0", 1: "1", 3: "3", 4: "4", 5: "5"], "\(outcome.errors)")
      #expect(
        outcome.reasons.count == 2 && outcome.reasons.allSatisfy { $0.contains("No space left") })
    }
  }
}
