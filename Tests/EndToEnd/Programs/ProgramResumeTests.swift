import Foundation
import Testing

/// Runs that go on in a folder where their programs write, and from which they take.
@Suite("Programs that change what they were given", .timeLimit(.ample))
struct ProgramResumeTests {
  @Test("Inputs that programs move, or write into, are done when they were done")
  func changedInputs() async throws {
    try await ProgramStage.with { stage in
      try stage.script(
        "take.sh",
        #"echo "$1" >>starts; case $1 in */1*) mv "$1" done/;; *) echo more >>"$1";; esac; echo "$1""#
      )
      try await stage.shell("mkdir q done; for i in $(seq 0 29); do echo $i >q/$i; done")
      func engage(_ total: Int) async throws {
        let outcome = try await stage.engage(
          [], "--inputs", "q/*", "--journal", "run.sqlite", "--in-order", "--", "./take.sh", "{}"
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.texts.count == total, "\(outcome.errors)")
        #expect(!outcome.errors.contains { $0.contains("run again") }, "\(outcome.errors)")
      }
      try await engage(30)
      try await engage(30)
      #expect(stage.lines(of: "starts").count == 30)
      // What others change is done again, and what is new is done.
      try await stage.shell("echo other >>q/2; echo >q/30")
      let outcome = try await stage.engage(
        [], "--inputs", "q/*", "--journal", "run.sqlite", "--", "./take.sh", "{}"
      ).outcome()
      #expect(outcome.errors.contains { $0.contains("q/2 has changed since it was run") })
      #expect(stage.lines(of: "starts").count == 32)
      // All are moved.
      try await stage.shell("rm q/*")
      try await engage(31)
    }
  }

  @Test("An input whose program took it away and did not end is not left out without a word")
  func lostInputs() async throws {
    try await ProgramStage.with { stage in
      try await stage.shell("mkdir q work; for i in 0 1 2 3; do echo $i >q/$i; done; mkfifo wait")
      try stage.script(
        "take.sh",
        #"mv "$1" work/; echo "$1" >>taken; case $1 in q/0) exit 3;; q/1) read x <wait;; esac; echo "$1""#
      )
      func engage() throws -> RunningEngagement {
        try stage.engage(
          [], "--inputs", "q/*", "--attempts", "1", "--journal", "run.sqlite", "--", "./take.sh",
          "{}")
      }
      let killed = try engage()
      try await killed.process.lines(2) { $0.contains("completed") }
      // What the journal has as done began after q/1, or with it.
      try await stage.shell(
        "until '\(Paths.binary)' runs run.sqlite | grep -q '^2 of 4 inputs done, 1 failed'; do sleep 0.05; done"
      )
      killed.process.send(SIGKILL)
      _ = try await killed.process.end()
      try await stage.marked.gone()
      for _ in 0..<2 {
        let outcome = try await engage().outcome()
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(try outcome.summary.total == 4, "\(outcome.errors)")
        #expect(
          outcome.errors.contains { $0.contains("the input q/1 is gone") }, "\(outcome.errors)")
        #expect(outcome.errors.contains { $0.contains("exit status 3") }, "\(outcome.errors)")
      }
    }
  }

  @Test("A pattern that names all files does not name what the run writes")
  func ownOutputs() async throws {
    try await ProgramStage.with { stage in
      try await stage.shell("mkdir work; cd work; for i in a b c; do echo $i >$i; done")
      func engage() async throws -> RunningProcess.Story {
        try await stage.stage.launch(
          Paths.binary,
          [
            "engage", "--no-discovery", "--slots", "2", "--inputs", "*", "--output", "{}.out",
            "--journal", "run.sqlite", "--summary", "log.tsv", "--", "sh", "-c",
            #"echo "$1" >>../starts; cat "$1""#, "sh", "{}",
          ], stage.marked.environment, in: stage.file("work")
        ).end()
      }
      for _ in 0..<2 {
        let story = try await engage()
        #expect(story.status == 0, "\(story.errors)")
        #expect(try Summary(#require(story.errors.last)).completed == 3)
      }
      #expect(stage.lines(of: "starts").sorted() == ["a", "b", "c"])
      try stage.write("d", to: "work/d")
      #expect(try await engage().status == 0)
      #expect(stage.lines(of: "starts").sorted() == ["a", "b", "c", "d"])
    }
  }

  @Test("A run of more numbers goes on, and one of fewer runs these")
  func totals() async throws {
    try await ProgramStage.with { stage in
      func engage(_ total: Int) async throws -> Outcome {
        try await stage.engage(
          [], "--total", "\(total)", "--journal", "run.sqlite", "--", "sh", "-c",
          "echo {} >>starts; printf %s {}"
        ).outcome()
      }
      for total in [5, 8, 3, 8] {
        let outcome = try await engage(total)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
          outcome.texts == Dictionary(uniqueKeysWithValues: (0..<total).map { ($0, "\($0)") }))
      }
      #expect(stage.lines(of: "starts").sorted() == (0..<8).map { "\($0)" })
    }
  }

  @Test(
    "A journal has no bytes of outputs that are files: what is gone or changed is made again, also after a kill"
  )
  func changedOutputs() async throws {
    try await ProgramStage.with { stage in
      try stage.script("big.sh", #"echo "$1" >>starts; yes "$1" | head -c 500000"#)
      func engage() throws -> RunningEngagement {
        try stage.engage(
          [], "--inputs-from", "list", "--output", "out/{}.txt", "--journal", "run.sqlite", "--",
          "./big.sh",
          "{}")
      }
      try stage.write((0..<40).map { "\($0)\n" }.joined(), to: "list")
      #expect(try await engage().outcome().status == 0)
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: stage.file("run.sqlite"))[.size] as? Int)
      #expect(size < 1_000_000)
      try await stage.shell(
        "cp -r out first; rm out/3.txt; yes 8 | head -c 499999 >out/7.txt; echo >>out/7.txt")
      // The first process that goes on is killed at once, or comes to its end.
      let killed = try engage()
      try await killed.process.lines(1) { $0.contains("40 of 40") }
      killed.process.send(SIGKILL)
      _ = try await killed.process.end()
      try await stage.marked.gone()
      let outcome = try await engage().outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      try await stage.shell("diff -r first out")
      let starts = stage.lines(of: "starts").map(String.init)
      #expect(Set(starts.dropFirst(40)) == ["3", "7"] && starts.count < 45, "\(starts)")
      // Nothing is left to do, and a replay finds the same output.
      let last = try await engage().outcome()
      #expect(try last.summary.before == 40 && stage.lines(of: "starts").count == starts.count)
      let replay = try await stage.shell(
        "'\(Paths.binary)' replay run.sqlite --sector 7; '\(Paths.binary)' report run.sqlite --output report.html; "
          + "'\(Paths.binary)' runs run.sqlite")
      #expect(replay.output.contains("the same as in the run"), "\(replay.output)")
    }
  }
}
