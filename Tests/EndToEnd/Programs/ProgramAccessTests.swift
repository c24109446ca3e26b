import Foundation
import Testing

/// What members of another account can have a node run.
@Suite("Leave to run programs", .timeLimit(.ample))
struct ProgramAccessTests {
  /// A member of the cluster with an account of its own.
  struct Stranger {
    /// Whether this process may act as another account.
    static let isPossible = OtherAccount.isPossible(account)
    static let needs: Comment = "needs root and setpriv to be another account"
    /// nobody's.
    private static let account: uid_t = 65534

    let stage: ProgramStage
    let home: String
    private let key: String

    init(_ stage: ProgramStage) async throws {
      self.stage = stage
      key = try await stage.stage.skynet("key", "show").end().output[0]
      home = stage.file("elsewhere")
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: home)
      // The other account reads the stage's files.
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: stage.file(""))
    }

    func outcome(on node: RunningNode, _ options: String...) async throws -> Outcome {
      try await outcome(on: node, options)
    }

    func outcome(
      on node: RunningNode, in folder: String? = nil, _ options: [String]
    ) async throws -> Outcome {
      try await engage(on: node, in: folder, options).outcome()
    }

    func engage(
      on node: RunningNode, in folder: String? = nil, _ options: [String]
    ) throws -> RunningEngagement {
      let results = home + "/results-\(UUID().uuidString)"
      let become = OtherAccount.become(Self.account) + [Paths.binary]
      let fixed = [
        "engage", "--no-discovery", "--no-local", "--wait-for", "1", "--wait-timeout", "120",
        "--peers", "127.0.0.1:\(node.port)", "--results", results,
      ]
      let environment = [
        "SKYNET_KEY": key, "HOME": home, "XDG_CONFIG_HOME": home + "/config",
        "XDG_RUNTIME_DIR": home + "/run",
      ]
      let process = try stage.stage.launch(
        OtherAccount.setpriv, become + fixed + options,
        stage.marked.environment.merging(environment) { $1 }, in: folder)
      return RunningEngagement(process: process, resultsFile: results)
    }

    /// Makes a folder of the other account.
    func makeFolder(_ name: String) throws -> String {
      let path = stage.file(name)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: path)
      return path
    }

    /// Expects that the node runs no such program, and both ends name the flag that would let it.
    func expectRefusal(
      of program: String, by node: RunningNode, saying words: String = "--programs",
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let outcome = try await outcome(on: node, "--total", "3", "--", program, stage.file("trace"))
      #expect(outcome.status == 2, "\(outcome.errors)", sourceLocation: sourceLocation)
      #expect(
        outcome.errors.contains { $0.contains(node.name) && $0.contains(words) },
        "\(outcome.errors)",
        sourceLocation: sourceLocation)
      try await node.process.line(words)
      #expect(
        !FileManager.default.fileExists(atPath: stage.file("trace")), sourceLocation: sourceLocation
      )
    }
  }

  @Test(
    "A member of another account needs leave, and both ends say the flag",
    .enabled(if: Stranger.isPossible, Stranger.needs))
  func withoutLeave() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a")
      try await Stranger(stage).expectRefusal(of: "/usr/bin/touch", by: a)
      // The own account needs none.
      let own = try await stage.engage([a], "--total", "1", "--", "printf", "%s", "{}").outcome()
      try own.expectEverySectorOnce(of: 1)
    }
  }

  @Test(
    "With leave for files, these run for everybody, by the paths that were allowed, and no others",
    .enabled(if: Stranger.isPossible, Stranger.needs))
  func files() async throws {
    try await ProgramStage.with { stage in
      let allowed = try stage.script("bin/allowed.sh", #"printf %s "$1""#)
      let other = try stage.script("other/touch.sh", #"touch "$1""#)
      try FileManager.default.createSymbolicLink(
        atPath: stage.file("bin/link.sh"), withDestinationPath: other)
      let a = try await stage.node("a", "--programs", allowed)
      let stranger = try await Stranger(stage)
      try await stranger.outcome(on: a, "--total", "2", "--", allowed, "{}")
        .expectEverySectorOnce(of: 2)
      for path in [
        other, stage.file("bin/../bin/allowed.sh"), stage.file("bin/../other/touch.sh"),
        stage.file("bin/link.sh"), "touch", "sh",
        stage.file("bin/nowhere.sh"),
      ] {
        try await stranger.expectRefusal(of: path, by: a)
      }
    }
  }

  @Test("A node warns of a program that other accounts may write, with what mends it")
  func exposed() async throws {
    try await ProgramStage.with { stage in
      let (own, exposed) = (
        try stage.script("bin/own.sh", "true"), try stage.script("bin/exposed.sh", "true")
      )
      #expect(chmod(exposed, 0o757) == 0)
      let node = try await stage.node("a", "--programs", own, exposed)
      node.process.send(SIGTERM)
      let warnings = try await node.process.end().errors.filter { $0.contains("--programs") }
      #expect(warnings.count == 1)
      #expect(
        warnings.first?.hasPrefix("warning: --programs: \(exposed) can be written by") == true
          && warnings.first?.hasSuffix(": chmod go-w \(exposed)") == true, "\(warnings)")
    }
  }

  @Test(
    "A program that was replaced or changed after it was allowed is refused",
    .enabled(if: Stranger.isPossible, Stranger.needs))
  func replaced() async throws {
    try await ProgramStage.with { stage in
      let replaced = try stage.script("bin/replaced.sh", "true")
      let changed = try stage.script("bin/changed.sh", "true")
      let a = try await stage.node("a", "--programs", replaced, changed)
      try FileManager.default.removeItem(atPath: replaced)
      try stage.script("bin/replaced.sh", #"touch "$1""#)
      let file = try #require(FileHandle(forWritingAtPath: changed))
      try file.write(contentsOf: Data("#!/bin/sh\ntouch \"$1\"\n".utf8))
      try file.close()
      let stranger = try await Stranger(stage)
      for path in [replaced, changed] {
        try await stranger.expectRefusal(of: path, by: a, saying: "replaced or changed")
      }
    }
  }

  @Test(
    "With --programs any, everybody runs anything",
    .enabled(if: Stranger.isPossible, Stranger.needs))
  func any() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--programs", "any")
      try await Stranger(stage).outcome(on: a, "--total", "2", "--", "printf", "%s", "{}")
        .expectEverySectorOnce(of: 2)
    }
  }

  @Test(
    "For another account a node runs programs in an empty folder, unless it trusts the folder and sees the same one",
    .enabled(if: Stranger.isPossible, Stranger.needs))
  func folders() async throws {
    try await ProgramStage.with { stage in
      let stranger = try await Stranger(stage)
      let (trusted, other) = (
        try stranger.makeFolder("trusted/below"), try stranger.makeFolder("other")
      )
      for folder in [trusted, other] {
        try Data("data".utf8).write(to: URL(fileURLWithPath: folder + "/data"))
      }
      let a = try await stage.node("a", "--programs", "any")
      let b = try await stage.node(
        "b", "--programs", "any", "--programs-in", stage.file("trusted"))
      let needing = ["--inputs", "data", "--", "sh", "-c", #"pwd; cat "$1""#, "sh", "{}"]
      let place = try #require(realpath(trusted, nil).map { String(cString: $0) })
      let inPlace = try await stranger.outcome(on: b, in: trusted, needing)
      #expect(inPlace.texts == [0: "\(place)\ndata"], "\(inPlace.errors)")
      for (node, folder) in [(a, trusted), (b, other)] {
        let refused = try await stranger.outcome(on: node, in: folder, needing)
        #expect(
          refused.status == 2 && refused.errors.contains { $0.contains("--programs-in") },
          "\(refused.errors)")
        let empty = try await stranger.outcome(
          on: node, in: folder,
          ["--quiet", "--total", "2", "--", "sh", "-c", "ls -A; touch made; echo {}"])
        #expect(empty.texts == [0: "0\n", 1: "1\n"], "\(empty.errors)")
        #expect(
          empty.errors.contains { $0.contains("\(node.name) runs the program in an empty folder") },
          "\(empty.errors)")
        #expect(
          empty.errors.contains { $0.contains("left 2 files, such as made") }, "\(empty.errors)")
      }
      // A folder into which the engagement may write nothing shows nobody that it is the same one.
      try FileManager.default.setAttributes(
        [.ownerAccountID: 0, .posixPermissions: 0o755], ofItemAtPath: trusted)
      let closed = try await stranger.outcome(on: b, in: trusted, needing)
      #expect(
        closed.status == 2 && closed.errors.contains { $0.contains("may make no file") },
        "\(closed.errors)")
    }
  }

  @Test(
    "The file that shows a folder is removed at the run's end, and a killed run's by the next one",
    .enabled(if: Stranger.isPossible, Stranger.needs))
  func shownFolder() async throws {
    try await ProgramStage.with { stage in
      let stranger = try await Stranger(stage)
      let folder = try stranger.makeFolder("shared")
      let b = try await stage.node("b", "--programs", "any", "--programs-in", folder)
      func shown() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder).count {
          $0.hasPrefix(".skynet-")
        }
      }
      let words = [
        "--total", "4", "--", "sh", "-c", "ls -A | grep -c .skynet-; test {} = 0 || sleep 12345",
      ]
      let run = try stranger.engage(on: b, in: folder, words)
      try await run.completions(by: "b")
      #expect(try shown() == 1)
      run.process.send(SIGKILL)
      _ = try await run.process.end()
      #expect(try shown() == 1)
      let next = try await stranger.outcome(on: b, in: folder, ["--total", "1", "--", "true"])
      #expect(next.status == 0, "\(next.errors)")
      #expect(try shown() == 0)
    }
  }

  /// Prints the program's own variables, and those of all processes above it, as the kernel shows them.
  private static let allVariables = """
    env
    process=$PPID
    while [ "$process" -gt 1 ]; do
      tr '\\0' '\\n' <"/proc/$process/environ"
      process=$(awk '/^PPid/ { print $2 }' "/proc/$process/status")
    done
    """

  @Test(
    "No variable of the engaging side reaches a program, none of SkyNet's, and no key of its node")
  func variables() async throws {
    try await ProgramStage.with { stage in
      let key = try await stage.stage.skynet("key", "show").end().output[0]
      let a = try await stage.node(
        "a",
        environment: [
          "SKYNET_KEY": key, "NOTIFY_SOCKET": "@nobody", "CREDENTIALS_DIRECTORY": "/nowhere",
          "OF_THE_NODE": "seen",
        ])
      let run = try stage.engage(
        [a], "--total", "1", "--", "sh", "-c", "env; " + Self.allVariables,
        environment: [
          "LD_PRELOAD": "/nowhere/evil.so", "BASH_ENV": "/nowhere/evil.sh", "SECRET": "told",
        ])
      let outcome = try await run.outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let said = try #require(outcome.texts[0])
      #expect(said.contains("SKYNET_SYSTEM=a") && said.contains("OF_THE_NODE=seen"))
      for word in ["evil", "SECRET", key] { #expect(!said.contains(word), "\(word)") }
      let own = try await stage.engage([a], "--total", "1", "--", "env").outcome().texts[0] ?? ""
      for word in ["SKYNET_KEY", "NOTIFY_SOCKET", "CREDENTIALS_DIRECTORY"] {
        #expect(!own.contains(word), "\(word)")
      }
    }
  }

  @Test("--env gives a program variables of the shell, and a wrong name says what is wrong")
  func givenVariables() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", environment: ["GIVEN": "of the node"])
      let script = #"printf '%s|%s' "$GIVEN" "${OTHER-none}""#
      let run = try stage.engage(
        [a], "--total", "2", "--env", "GIVEN", "--env", "EMPTY", "--", "sh", "-c", script,
        environment: ["GIVEN": "of the\nshell", "EMPTY": "", "OTHER": "x"])
      let outcome = try await run.outcome()
      #expect(outcome.texts == [0: "of the\nshell|none", 1: "of the\nshell|none"])
      // A journal has the name, and not the value.
      let kept = try await stage.engage(
        [a], "--total", "1", "--journal", stage.file("run.sqlite"), "--env", "GIVEN", "--", "sh",
        "-c", #"test "${#GIVEN}" = 11"#, environment: ["GIVEN": "8a1f-secret"]
      ).outcome()
      #expect(kept.status == 0, "\(kept.errors)")
      let journal = try FileManager.default.contentsOfDirectory(atPath: stage.file(""))
        .filter { $0.hasPrefix("run.sqlite") }
        .reduce(into: Data()) { $0 += try Data(contentsOf: URL(fileURLWithPath: stage.file($1))) }
      #expect(journal.range(of: Data("GIVEN".utf8)) != nil)
      #expect(journal.range(of: Data("8a1f-secret".utf8)) == nil)
      for (name, words) in [
        ("NOT_THERE", "exported no variable"), ("GIVEN=x", "name alone"), ("SKYNET_KEY", "SKYNET_"),
      ] {
        let story = try await stage.engage([a], "--total", "1", "--env", name, "--", "true").process
          .end()
        #expect(story.status == 64, "\(story)")
        #expect(story.errors.contains { $0.contains(words) }, "\(story)")
      }
    }
  }

  @Test(
    "A stranger's program gets few of the node's variables, and --env with --programs any alone",
    .enabled(if: Stranger.isPossible, Stranger.needs))
  func strangersVariables() async throws {
    try await ProgramStage.with { stage in
      let environment = ["OF_THE_NODE": "secret", "LC_TIME": "C"]
      let any = try await stage.node("any", "--programs", "any", environment: environment)
      let files = try await stage.node(
        "files", "--programs", "/usr/bin/env", environment: environment)
      let stranger = try await Stranger(stage)
      for node in [any, files] {
        let outcome = try await stranger.outcome(on: node, "--total", "1", "--", "/usr/bin/env")
        let said = try #require(outcome.texts[0], "\(outcome.errors)")
        #expect(!said.contains("OF_THE_NODE"))
        #expect(
          said.contains("LC_TIME=C") && said.contains("PATH=") && said.contains("SKYNET_SLOT"))
      }
      let given = ["--total", "1", "--env", "HOME", "--", "/usr/bin/env"]
      let taken = try await stranger.outcome(on: any, given)
      #expect(taken.texts[0]?.contains("HOME=\(stranger.home)") == true, "\(taken.errors)")
      let refused = try await stranger.outcome(on: files, given)
      #expect(refused.status == 2)
      #expect(refused.errors.contains { $0.contains("--programs any") }, "\(refused.errors)")
    }
  }

  @Test(
    "Inputs that begin with a dash, or hold a line feed, spaces or a shell's characters, stay one argument"
  )
  func words() async throws {
    try await ProgramStage.with { stage in
      let script = try stage.script("count.sh", #"printf '%s:%s' "$#" "$1""#)
      let a = try await stage.node("a")
      let lines = [
        "-rf", "--help", "-", "--", "$(touch trace)", "; touch trace", "a b  c", "*", "'\"\\", "{}",
        "{#}",
      ]
      try stage.write(lines.joined(separator: "\n"), to: "lines")
      let outcome = try await stage.engage(
        [a], "--inputs-from", stage.file("lines"), "--", script, "{}"
      ).outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.texts.values.sorted() == lines.map { "1:" + $0 }.sorted())

      let broken = try await stage.engage([a], "--inputs", "one\ntwo", "--", script, "{}").outcome()
      #expect(broken.status == 0, "\(broken.errors)")
      #expect(broken.texts == [0: "1:one\ntwo"])
    }
  }

  @Test(
    "An input that is gone fails with its name, and one that only the node lacks leaves the node out"
  )
  func goneInput() async throws {
    try await ProgramStage.with { stage in
      let a = try await stage.node("a", "--slots", "1")
      try stage.write("1", to: "in/1.dat")
      try stage.write("2", to: "in/2.dat")
      // The first one that runs removes the other.
      let outcome = try await stage.engage(
        [a], "--in-flight", "1", "--inputs", stage.file("in/*.dat"), "--", "sh", "-c",
        #"rm -f "${1%/*}"/2.dat; printf ok"#, "sh", "{}"
      ).outcome()
      #expect(outcome.status == 1, "\(outcome.errors)")
      #expect(outcome.reasons.count == 1)
      #expect(outcome.reasons.first?.contains(stage.file("in/2.dat")) == true)
    }
  }
}
