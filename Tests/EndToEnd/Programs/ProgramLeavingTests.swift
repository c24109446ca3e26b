import Foundation
import Testing

/// What programs leave behind and what they wait for: time for what they leave, room, the end of another attempt.
@Suite("What programs leave and wait for", .timeLimit(.ample))
struct ProgramLeavingTests {
  private static let left = "left processes running"

  @Test("What a program leaves to finish has a second, and nothing is said of it")
  func finishing() async throws {
    try await ProgramStage.with { stage in
      try stage.write("", to: "out/.here")
      let outcome = try await stage.engage(
        [], "--total", "3", "--quiet", "--", "bash", "-c", #"seq 300000 > >(gzip >"$0")"#,
        stage.file("out/{}.gz")
      ).outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains { $0.contains(Self.left) })
      for number in 0..<3 {
        try await stage.shell("test $(gunzip -c out/\(number).gz | wc -l) = 300000")
      }
    }
  }

  @Test(
    "What is left longer is ended, and a line says so once, also with --quiet", arguments: [0, 3])
  func leftRunning(status: Int) async throws {
    try await ProgramStage.with { stage in
      let outcome = try await stage.engage(
        [], "--total", "3", "--quiet", "--attempts", "1", "--", "sh", "-c",
        "sleep 12345 & printf %s {}; exit \(status)"
      ).outcome()
      #expect(outcome.status == (status == 0 ? 0 : 1), "\(outcome.errors)")
      #expect(outcome.errors.count { $0.contains(Self.left) } == 1, "\(outcome.errors)")
      try await stage.marked.gone()
    }
  }

  @Test("A shortage of open files costs no attempt, and a line names it")
  func shortage() async throws {
    try await ProgramStage.with { stage in
      let run = try stage.stage.launch(
        "/bin/sh",
        [
          "-c", "ulimit -n 64; exec \"$0\" \"$@\"", Paths.binary, "engage", "--no-discovery",
          "--slots", "40", "--total", "300", "--attempts", "1", "--", "sh", "-c",
          "sleep 0.01; echo {}",
        ], stage.marked.environment)
      let story = try await run.end()
      #expect(story.status == 0, "\(story.errors)")
      #expect(Set(story.output.compactMap { Int($0) }) == Set(0..<300))
      #expect(
        story.errors.contains { $0.contains("has no room for another scan") }, "\(story.errors)")
      #expect(
        story.errors.contains { $0.contains("300 of 300 sectors") && $0.contains("0 failed") })
    }
  }

  @Test("A failure waits, and other inputs are run meanwhile")
  func waits() async throws {
    try await ProgramStage.with { stage in
      let begin = ContinuousClock.now
      let outcome = try await stage.engage(
        [], "--slots", "1", "--total", "20", "--attempts", "3", "--", "sh", "-c",
        "echo {} >>'\(stage.file("order"))'; test {} != 0"
      ).outcome()
      // Half a second and a whole one.
      #expect(ContinuousClock.now - begin >= .seconds(1.5))
      #expect(outcome.status == 1 && outcome.reasons.count == 3, "\(outcome.errors)")
      #expect(stage.lines(of: "order").first == "0" && stage.lines(of: "order").last == "0")
      #expect(stage.lines(of: "order").dropFirst().first != "0")
    }
  }

  /// Notes an input of which another attempt runs. It and what it starts ignore SIGTERM.
  private func exclusive(_ stage: ProgramStage) throws -> String {
    try stage.script(
      "exclusive.sh",
      """
      trap '' TERM
      exec 9>>"$1.lock"
      flock -n 9 || echo "$1" >>overlaps
      echo "$SKYNET_SYSTEM $1" >>starts
      if test "$2" = "$SKYNET_SYSTEM" || test "$2" = "$SKYNET_ATTEMPT"; then sleep 12345; fi
      printf %s "$1"
      """)
  }

  @Test("In a shared folder an input is tried again only when its lost machine has ended it")
  func lostMachine() async throws {
    try await ProgramStage.with { stage in
      let script = try exclusive(stage)
      let doomed = try await stage.node("doomed", "--slots", "2", "--timeout", "0.5")
      let other = try await stage.node("other", "--slots", "2", "--timeout", "0.5")
      let run = try stage.engage(
        [doomed, other], "--timeout", "0.5", "--total", "6", "--", script, "{}", "doomed")
      try await stage.marked.programs(2, running: "sleep")
      doomed.process.send(SIGKILL)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 6)
      #expect(stage.lines(of: "starts").count == 8)
      #expect(stage.lines(of: "overlaps") == [])
    }
  }

  @Test("In a shared folder an input is tried again only when an attempt over its time has ended")
  func overdue() async throws {
    try await ProgramStage.with { stage in
      try stage.write("", to: "shared/.here")
      let script = try exclusive(stage)
      let outcome = try await stage.engage(
        [], "--total", "3", "--scan-timeout", "0.5", "--directory", stage.file("shared"),
        "--", script, "{}", "1"
      ).outcome()
      try outcome.expectEverySectorOnce(of: 3)
      #expect(stage.lines(of: "shared/starts").count == 6)
      #expect(stage.lines(of: "shared/overlaps") == [])
    }
  }
}
