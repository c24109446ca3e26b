import Foundation
import Testing

/// Programs that do not end as they should, or whose processes are ended: nothing of them may be left.
@Suite("The end of programs", .timeLimit(.ample))
struct ProgramEndingTests {
  @Test("A node is killed while programs run: none is left, and the results are right")
  func killedNode() async throws {
    try await ProgramStage.with { stage in
      let doomed = try await stage.node("doomed", "--slots", "2")
      let other = try await stage.node("other", "--slots", "2")
      // On the doomed node nothing ends, and grandchildren have a session of their own.
      let script = try stage.script(
        "scan.sh",
        """
        trap '' TERM
        if test "$SKYNET_SYSTEM" = doomed; then setsid sleep 12345 & sleep 12345; fi
        printf %s "$1"
        """)
      let run = try stage.engage([doomed, other], "--total", "40", "--", script, "{}")
      try await run.completions(by: "other")
      try await stage.marked.programs(4, running: "sleep")
      doomed.process.send(SIGKILL)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 40)
      #expect(Set(outcome.shares.keys) == ["other"])
      try await stage.marked.gone(butBelow: other.process)
    }
  }

  @Test("A node that stops ends what it cannot finish")
  func stoppedNode() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "2", "--drain-timeout", "0.5")
      let run = try stage.engage([a], "--total", "2", "--", "sleep", "12345")
      try await stage.marked.programs(2, running: "sleep")
      a.process.send(SIGTERM)
      #expect(try await a.process.end().status == 0)
      #expect(stage.marked.running("sleep").isEmpty)
      run.process.send(SIGINT)
      _ = try await run.outcome()
      try await stage.marked.gone()
    }
  }

  @Test(
    "An engagement that is killed or interrupted ends its programs on a node",
    arguments: [SIGKILL, SIGINT])
  func endedEngagement(signal: Int32) async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "2", "--timeout", "1")
      let run = try stage.engage([a], "--total", "2", "--", "sleep", "12345")
      try await stage.marked.programs(2, running: "sleep")
      run.process.send(signal)
      if signal == SIGINT {
        // A first signal waits for what runs. Another of the same kind might arrive as one with it.
        try await run.process.line("Ctrl-C again stops now")
        run.process.send(SIGTERM)
      }
      _ = try await run.process.end()
      try await stage.marked.idle()
      #expect(a.process.isRunning)
    }
  }

  @Test("An engagement that is killed leaves nothing of the programs on its own slots")
  func killedAlone() async throws {
    try await ProgramStage.with { stage in
      let run = try stage.engage(
        [], "--total", "2", "--", "sh", "-c", "trap '' TERM; sleep 12345 & sleep 12345; wait")
      try await stage.marked.programs(4, running: "sleep")
      run.process.send(SIGKILL)
      _ = try await run.process.end()
      try await stage.marked.gone()
    }
  }

  @Test("A program that hangs is ended after --scan-timeout, and its sector tried again")
  func hanging() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a")
      let outcome = try await stage.engage(
        [a], "--total", "4", "--scan-timeout", "0.5", "--", "sh", "-c",
        "test $SKYNET_ATTEMPT != 1 || sleep 12345; printf %s {}"
      ).outcome()
      try outcome.expectEverySectorOnce(of: 4)
      #expect(try outcome.summary.retried == 4)
      try await stage.marked.idle()
    }
  }

  @Test(
    "What a program starts ends with it",
    arguments: [
      // It forks away: another session and process group, its parent gone.
      "setsid sh -c 'sleep 12345 & sleep 12345' & setsid setsid sleep 12345 & sleep 0.1",
      // It ignores SIGTERM, also in the background.
      "trap '' TERM HUP INT; sh -c 'trap \"\" TERM; while :; do sleep 12345; done' & sleep 0.1",
      // It holds its output open in the background.
      "sleep 12345 & sleep 12345 >&2 & sleep 0.1",
      // It stops itself in the background.
      "(kill -STOP $(exec sh -c 'echo $PPID'); :) & sleep 0.1",
      // It stops the process that keeps it, and the one that starts programs.
      "sleep 12345 & kill -STOP $PPID $(awk '{ print $4 }' /proc/$PPID/stat)",
    ])
  func leftOver(lines: String) async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      let outcome = try await stage.engage(
        [a], "--total", "4", "--", "sh", "-c", "\(lines); printf %s {}"
      ).outcome()
      try outcome.expectEverySectorOnce(of: 4)
      try await stage.marked.idle()
      #expect(MarkedProcesses.zombies(below: a.process.id).isEmpty)
    }
  }

  @Test("A program that ignores SIGTERM and hangs is killed a second later, and costs no slot")
  func ignoring() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      let outcome = try await stage.engage(
        [a], "--total", "2", "--scan-timeout", "0.3", "--attempts", "1", "--", "sh", "-c",
        "trap '' TERM; while :; do sleep 12345; done"
      ).outcome()
      #expect(outcome.status == 1 && outcome.reasons.count == 2, "\(outcome.errors)")
      try await stage.marked.idle()
      a.process.send(SIGTERM)
      let log = try await a.process.end().errors
      #expect(!log.contains { $0.contains("ignores that it was cancelled") }, "\(log)")
    }
  }

  @Test(
    "A program that kills its parent, or its parent's parent, costs itself and not the node",
    arguments: [1, 2])
  func parricide(generations: Int) async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      let parent = generations == 1 ? "$PPID" : "$(awk '{ print $4 }' /proc/$PPID/stat)"
      // What runs beside it is ended with its parent's parent, and tried again.
      let run = try stage.engage(
        [a], "--total", "4", "--attempts", "4", "--", "sh", "-c",
        "test {} != 1 || { sleep 12345 & kill -KILL \(parent); sleep 12345; }; printf %s {}")
      let outcome = try await run.outcome()
      #expect(
        outcome.status == 1 && outcome.texts == [0: "0", 2: "2", 3: "3"], "\(outcome.errors)")
      #expect(a.process.isRunning)
      try await stage.marked.idle()
    }
  }
}
