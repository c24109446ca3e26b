import Foundation
import Testing

/// What members of another account can have a node run.
@Suite("Leave to run programs", .timeLimit(.ample))
struct ProgramAccessTests {
  /// A member of the cluster with an account of its own.
  private struct Stranger {
    /// Whether this process may act as another account.
    static let isPossible =
      geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
    static let needs: Comment = "needs root and setpriv to be another account"
    /// nobody's.
    private static let account = "65534"

    let stage: ProgramStage
    private let home: String
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
      let results = home + "/results-\(UUID().uuidString)"
      let become = [
        "--reuid=\(Self.account)", "--regid=\(Self.account)", "--clear-groups", Paths.binary,
      ]
      let fixed = [
        "engage", "--no-discovery", "--no-local", "--wait-for", "1", "--wait-timeout", "120",
        "--peers", "127.0.0.1:\(node.port)", "--results", results,
      ]
      let environment = [
        "SKYNET_KEY": key, "HOME": home, "XDG_CONFIG_HOME": home + "/config",
        "XDG_RUNTIME_DIR": home + "/run",
      ]
      let process = try stage.stage.launch(
        "/usr/bin/setpriv", become + fixed + options,
        stage.marked.environment.merging(environment) { $1 })
      return try await RunningEngagement(process: process, resultsFile: results).outcome()
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
    "With leave for files, these run for everybody, by whatever path leads to them, and no others",
    .enabled(if: Stranger.isPossible, Stranger.needs))
  func files() async throws {
    try await ProgramStage.with { stage in
      let allowed = try stage.script("bin/allowed.sh", #"printf %s "$1""#)
      let other = try stage.script("other/touch.sh", #"touch "$1""#)
      try FileManager.default.createSymbolicLink(
        atPath: stage.file("bin/link.sh"), withDestinationPath: other)
      let a = try await stage.node("a", "--programs", allowed)
      let stranger = try await Stranger(stage)
      for path in [allowed, stage.file("bin/../bin/allowed.sh")] {
        try await stranger.outcome(on: a, "--total", "2", "--", path, "{}").expectEverySectorOnce(
          of: 2)
      }
      for path in [
        other, stage.file("bin/../other/touch.sh"), stage.file("bin/link.sh"), "touch", "sh",
        stage.file("bin/nowhere.sh"),
      ] {
        try await stranger.expectRefusal(of: path, by: a)
      }
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

  @Test("No variable of the engaging side reaches a program, and none of SkyNet's on a node")
  func variables() async throws {
    try await ProgramStage.with { stage in
      let key = try await stage.stage.skynet("key", "show").end().output[0]
      let a = try await stage.node("a", environment: ["SKYNET_KEY": key])
      let run = try stage.engage(
        [a], "--total", "1", "--", "sh", "-c", "env; cat /proc/$PPID/environ | tr '\\0' '\\n'",
        environment: [
          "LD_PRELOAD": "/nowhere/evil.so", "BASH_ENV": "/nowhere/evil.sh", "SECRET": "told",
        ])
      let outcome = try await run.outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let said = try #require(outcome.texts[0])
      #expect(said.contains("SKYNET_SYSTEM=a"))
      for word in ["evil", "SECRET", "SKYNET_KEY", key] {
        #expect(!said.contains(word), "\(word)")
      }
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
