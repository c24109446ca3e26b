import Foundation
import Testing

/// Hosts with a shared folder: all hosts of a lab see this machine's files.
@Suite("Programs on hosts with a shared folder", .timeLimit(.ample))
struct ProgramLabTests {
  private static let inputs = 500

  @Test(
    "Two hosts make the same files, to the byte, as xargs does here",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func sharedFolder() async throws {
    try await ProgramStage.with { stage in
      try await prepare(stage)
      try await Lab.with(hosts: 2) { lab in
        for host in ["h1", "h2"] { _ = try await node(on: host, of: lab, stage) }
        let run = try engage(on: "h1", of: lab, stage, "--wait-for", "2")
        let story = try await run.end()
        #expect(story.status == 0, "\(story.errors.suffix(20))")
        let summary = try Summary(#require(story.errors.last))
        #expect(summary.completed == Self.inputs && summary.failed == 0)
        #expect(Set(summary.shares.keys) == ["h1", "h2"])
        // By what a file of an unknown name shows, which is gone.
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: stage.file("shared"))
            .filter { $0.hasPrefix(".skynet-") } == [])
      }
      try await stage.shell("diff -r by-xargs by-skynet")
    }
  }

  @Test(
    "A host without the folder is named with what it lacks, and left out",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func hostWithoutFolder() async throws {
    try await ProgramStage.with { stage in
      try await prepare(stage)
      try await Lab.with(hosts: 2) { lab in
        _ = try await node(on: "h1", of: lab, stage)
        _ = try await node(on: "h2", of: lab, stage, hiding: stage.file("shared"))
        let run = try engage(on: "h1", of: lab, stage, "--wait-for", "2")
        let story = try await run.end()
        #expect(story.status == 0, "\(story.errors.suffix(20))")
        let said = story.errors.filter { $0.hasPrefix("h2 gets nothing of this run: ") }
        #expect(said.count == 1 && said[0].contains(stage.file("shared")), "\(said)")
        let summary = try Summary(#require(story.errors.last))
        #expect(summary.shares == ["h1": Self.inputs] && summary.retried == 0)
      }
      try await stage.shell("diff -r by-xargs by-skynet")
    }
  }

  @Test(
    "Where nothing of the folder is needed, a host without it runs programs in an empty one, and a line says so",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func emptyFolder() async throws {
    try await ProgramStage.with { stage in
      try await prepare(stage)
      try await Lab.with(hosts: 2) { lab in
        _ = try await node(on: "h1", of: lab, stage)
        _ = try await node(on: "h2", of: lab, stage, hiding: stage.file("shared"))
        let script = #"cd "$0" && exec "$@""#
        let run = try lab.launch(
          "/bin/sh",
          [
            "-c", script, stage.file("shared"), Paths.binary, "engage", "--quiet", "--no-local",
            "--wait-for", "2", "--total", "200", "--", "sh", "-c",
            #"sleep 0.02; test "$SKYNET_SYSTEM" = h2 || test -d in; pwd >&2; echo {}"#,
          ], on: "h1", stage.stage)
        let story = try await run.end()
        #expect(story.status == 0, "\(story.errors.suffix(20))")
        #expect(story.output.sorted() == (0..<200).map(String.init).sorted())
        let said = story.errors.filter { $0.contains("empty folder") }
        #expect(said.count == 1 && said[0].contains("h2 runs the program"), "\(story.errors)")
      }
    }
  }

  /// Makes the inputs and the program in the shared folder, and the outputs of xargs.
  private func prepare(_ stage: ProgramStage) async throws {
    try stage.script("shared/scan.sh", #"cksum <"$1"; sort -rn "$1""#)
    try await stage.shell(
      """
      mkdir -p shared/in by-xargs
      i=0; while test $i -lt \(Self.inputs); do seq $i $((i + 50)) >"shared/in/frame $i.dat"; i=$((i + 1)); done
      cd shared/in; ls | xargs -d '\\n' -P2 -I@ sh -c '../scan.sh "$1" >"../../by-xargs/${1%.dat}.txt"' sh @
      """)
  }

  /// - Parameter hiding: a folder that the node does not see.
  private func node(
    on host: String, of lab: Lab, _ stage: ProgramStage, hiding folder: String? = nil
  ) async throws -> RunningNode {
    // Of another account, as far as the engagement can tell.
    let command = [
      "/usr/bin/env", "XDG_RUNTIME_DIR=/nowhere",
      "XDG_CONFIG_HOME=\(stage.file("account-of-\(host)"))",
      "SKYNET_KEY=\(try await stage.stage.skynet("key", "show").end().output[0])", Paths.binary,
      "node",
      "--slots", "2", "--programs", "any", "--programs-in", stage.file("shared"),
    ]
    guard let folder else {
      return try await RunningNode(
        lab.launch(command[0], Array(command.dropFirst()), on: host, stage.stage))
    }
    let hide = #"mount -t tmpfs none "$0" && exec "$@""#
    return try await RunningNode(
      lab.launch(
        "/usr/bin/unshare", ["-m", "sh", "-c", hide, folder] + command, on: host, stage.stage))
  }

  private func engage(on host: String, of lab: Lab, _ stage: ProgramStage, _ options: String...)
    throws
    -> RunningProcess
  {
    let script = #"cd "$0" && exec "$@""#
    return try lab.launch(
      "/bin/sh",
      [
        "-c", script, stage.file("shared"), Paths.binary, "engage", "--no-local", "--inputs",
        "in/*.dat",
        "--output", "../by-skynet/{/.}.txt",
      ] + options + ["--", "./scan.sh", "{}"], on: host, stage.stage)
  }
}
