import Foundation
import Testing

@Suite("Programs", .timeLimit(.ample))
struct ProgramTests {
  @Test("What a program writes is the result, here and on a node of this account")
  func output() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a")
      let run = try stage.stage.engage(
        peers: [a.port],
        [
          "--wait-for", "1", "--slots", "2", "--total", "60", "--", "sh", "-c",
          "sleep 0.05; printf %s {}",
        ])
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 60)
      #expect(Set(outcome.shares.keys) == ["a", "local"])
    }
  }

  @Test(
    "A program has the folder that was asked for, its five variables, no other of SkyNet, and three descriptors"
  )
  func surroundings() async throws {
    try await ProgramStage.with { stage in
      let folder = stage.file("temporary")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let a = try await stage.node(
        "a",
        environment: [
          "SKYNET_LOOK": "no", "LOOK": "yes", "TMPDIR": folder, "PWD": "/usr", "OLDPWD": "/etc",
        ])
      let look = """
        printf '%s\n' "$PWD"; ls -A | wc -l; ls /proc/self/fd | wc -l; cat | wc -c; awk '{ print $7 }' /proc/$$/stat; env | grep -E '^(SKYNET_|LOOK|OLDPWD)' | sort
        """
      let outcome = try await stage.engage(
        [a], "--total", "3", "--directory", "empty", "--", "sh", "-c", look,
        environment: ["OLDPWD": "/usr"]
      ).outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      for (sector, text) in outcome.texts {
        let lines = text.split(separator: "\n").map(String.init)
        try #require(lines.count == 11, "\(text)")
        #expect(lines[0].hasPrefix(folder))
        // ls itself has opened /proc/self/fd.
        #expect(Array(lines[1...4]) == ["0", "4", "0", "0"])
        #expect(lines[5] == "LOOK=yes")
        let names = lines[6...].map { $0.prefix { $0 != "=" } }
        #expect(
          names == [
            "SKYNET_ATTEMPT", "SKYNET_RUN", "SKYNET_SECTOR", "SKYNET_SLOT", "SKYNET_SYSTEM",
          ])
        #expect(lines.contains("SKYNET_SECTOR=\(sector)") && lines.contains("SKYNET_SYSTEM=a"))
        #expect(lines.contains("SKYNET_ATTEMPT=1"))
      }
      #expect(outcome.texts.count == 3)
      // An empty folder is kept for the next program, for as long as the node lives.
      a.process.send(SIGTERM)
      _ = try await a.process.end()
      try await stage.marked.gone()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test("A program that fails is tried again, and the reason is the end of its standard error")
  func failure() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a")
      let outcome = try await stage.engage(
        [a], "--total", "2", "--attempts", "3", "--", "sh", "-c",
        "test {} = 0 && exit; echo begun $SKYNET_ATTEMPT >&2; exit 3"
      ).outcome()
      #expect(outcome.status == 1)
      let failed = try #require(outcome.results.first { $0.sector == 1 })
      #expect(failed.attempts == 3)
      #expect(
        failed.error?.map(\.reason) == (1...3).map { "exit status 3: begun \($0)" }, "\(failed)")
    }
  }

  @Test("After a status of --fail-fast-on a sector is not tried again, after a signal it is")
  func failFast() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a")
      let outcome = try await stage.engage(
        [a], "--total", "2", "--attempts", "2", "--fail-fast-on", "64,65", "--", "sh", "-c",
        "test {} = 0 && exit 65; kill -SEGV $$"
      ).outcome()
      #expect(outcome.status == 1)
      let attempts = Dictionary(
        uniqueKeysWithValues: outcome.results.map { ($0.sector, $0.attempts) })
      #expect(attempts == [0: 1, 1: 2])
      #expect(outcome.reasons.count { $0.hasPrefix("exit status 65") } == 1)
      #expect(outcome.reasons.count { $0.hasPrefix("signal 11") } == 2)
    }
  }

  @Test("Inputs are run while they are still written, and results keep their order")
  func writtenInputs() async throws {
    try await ProgramStage.with { stage in
      try stage.write("", to: "seen")
      // The second half is written once a program of the first half has run.
      let lines = """
        (seq 50; until test -s seen; do sleep 0.01; done; seq 51 100) | '\(Paths.binary)' engage --no-discovery \
        --slots 2 --inputs - --json --in-order -- sh -c 'echo {} >>"$0"; expr {} + 0' "$PWD/seen" >printed
        """
      try await stage.shell(lines)
      let results = try stage.lines(of: "printed").map {
        try JSONDecoder().decode(SectorLine.self, from: Data($0.utf8))
      }
      #expect(results.map(\.result) == (1...100).map { .text("\($0)\n") })
    }
  }

  @Test("A table has the columns of GNU parallel's job log")
  func summary() async throws {
    try await ProgramStage.with { stage in
      let outcome = try await stage.engage(
        [], "--total", "3", "--attempts", "1", "--summary", stage.file("log.tsv"), "--", "sh", "-c",
        "printf 123; exit {}"
      ).outcome()
      #expect(outcome.status == 1)
      let rows = stage.lines(of: "log.tsv").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }
      #expect(
        rows.first?.map(String.init) == [
          "Seq", "Host", "Starttime", "JobRuntime", "Send", "Receive", "Exitval", "Signal",
          "Command",
        ])
      let values = rows.dropFirst().reduce(into: [:]) { $0[$1[0]] = $1[6] }
      #expect(values == ["1": "0", "2": "1", "3": "2"])
      #expect(rows.dropFirst().first { $0[0] == "1" }?[5] == "3")
    }
  }
}
