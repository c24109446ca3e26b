import Foundation
import Testing

extension Endurance {
  /// A coordinator is killed while its programs run, and resumes from its journal.
  @Suite("Crashes of a coordinator of programs", .timeLimit(.ample))
  struct ProgramCrashTests {
    @Test("What the journal holds as done is not started again")
    func resumed() async throws {
      let (total, kills) = isThorough ? (2000, 20) : (300, 4)
      try await Stage.with { bare in
        let stage = ProgramStage(stage: bare)
        // Each start is a line of this file: a short line is appended as a whole.
        let script = try stage.script("scan.sh", #"echo "$1" >>"$2"; sleep 0.05; printf %s "$1""#)
        func engage() throws -> RunningEngagement {
          try stage.engage(
            [], "--total", "\(total)", "--attempts", "100", "--journal", stage.file("run.sqlite"),
            "--output", stage.file("out/{}.txt"), "--", script, "{}", stage.file("starts"))
        }
        for _ in 1...kills {
          let run = try engage()
          try await run.completions(total / (kills + 3), by: "local")
          run.process.send(SIGKILL)
          _ = try await run.process.end()
          try await stage.marked.gone()
        }
        let before = stage.lines(of: "starts").count
        // An output that vanishes is made again.
        let done = try #require(
          FileManager.default.contentsOfDirectory(atPath: stage.file("out")).first {
            $0.hasSuffix(".txt")
          })
        try FileManager.default.removeItem(atPath: stage.file("out/" + done))
        let outcome = try await engage().outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let summary = try outcome.summary
        #expect(summary.completed == total && summary.failed == 0 && summary.before > 0)
        #expect(stage.lines(of: "starts").count - before == total - summary.before)
        #expect(outcome.errors.count { $0.contains(done) && $0.contains("runs again") } == 1)
        for sector in 0..<total { #expect(try stage.read("out/\(sector).txt") == "\(sector)") }
      }
    }

    @Test("An engagement is killed, and its nodes' programs end and run again with the next one")
    func resumedOnNodes() async throws {
      try await Stage.with { bare in
        let stage = ProgramStage(stage: bare)
        let nodes = [
          try await stage.node("a", "--slots", "2", "--timeout", "1"),
          try await stage.node("b", "--slots", "2", "--timeout", "1"),
        ]
        let inputs = (1...200).map { "input \($0)" }
        try stage.write(inputs.joined(separator: "\n") + "\n", to: "inputs")
        func engage() throws -> RunningEngagement {
          try stage.engage(
            nodes, "--inputs-from", stage.file("inputs"), "--journal", stage.file("run.sqlite"),
            "--attempts", "100", "--", "sh", "-c", #"sleep 0.05; printf %s "$1""#, "sh", "{}")
        }
        for _ in 1...3 {
          let run = try engage()
          try await run.process.lines(20) { $0.hasPrefix("completed ") }
          run.process.send(SIGKILL)
          _ = try await run.process.end()
        }
        let outcome = try await engage().outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.texts.values.sorted() == inputs.sorted())
        #expect(try outcome.summary.before > 0)
        try await stage.marked.idle()
      }
    }
  }
}
