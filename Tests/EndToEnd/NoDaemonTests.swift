import Foundation
import Testing

/// Commands on a machine without an Avahi daemon go on, with a warning.
@Suite("Machines without an Avahi daemon", .timeLimit(.ample))
struct NoDaemonTests {
  /// A D-Bus address where nothing listens, so that no daemon can be reached.
  private static let nowhere = [
    "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/skynet-end-to-end"
  ]

  @Test("Without a daemon a node serves peers that name it, and a run goes on")
  func aNodeServesPeersThatNameIt() async throws {
    try await Stage.with { stage in
      let node = try await RunningNode(
        stage.launch(
          Paths.binary, ["node", "--name", "a", "--host", "127.0.0.1"], Self.nowhere))
      let warning = try await node.process.line("not advertised")
      #expect(warning.contains("warning") && warning.contains("--peers"), "\(warning)")

      let results = stage.file("results")
      let run = RunningEngagement(
        process: try stage.launch(
          Paths.binary,
          [
            "engage", "--peers", "127.0.0.1:\(node.port)", "--slots", "4", "--wait-for", "1",
            "--scan-seconds",
            "0.1", "--total", "100000", "--results", results,
          ], Self.nowhere), resultsFile: results)
      for system in ["a", "local"] { try await run.completions(by: system) }
      let outcome = try await run.stopUndisturbed()
      #expect(outcome.errors.count { $0.hasPrefix("warning: no discovery") } == 1)
    }
  }

  @Test("`skynet systems` without any system succeeds")
  func noSystemsIsNoFault() async throws {
    try await Stage.with { stage in
      let table = try await stage.skynet("systems", "--no-discovery", "--wait", "0.1").end()
      #expect(table.status == 0)
      #expect(table.output.count == 1 && table.output[0].contains("no systems found"))
      let lines = try await stage.skynet("systems", "--no-discovery", "--wait", "0.1", "--json")
        .end()
      #expect(lines.status == 0 && lines.output.isEmpty)
    }
  }

  @Test("`skynet systems --expect` fails with 1 if there are fewer systems, and still lists them")
  func tooFewSystemsFail() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("a")
      func systems(_ expected: String) async throws -> RunningProcess.Story {
        try await stage.skynet(
          "systems", "--no-discovery", "--peers", "127.0.0.1:\(node.port)", "--expect", expected
        ).end()
      }
      #expect(try await systems("1").status == 0)
      let tooFew = try await systems("2")
      #expect(tooFew.status == 1)
      #expect(tooFew.output.count == 2)
      #expect(tooFew.errors.contains { $0.hasPrefix("error: 1 of 2 systems were found within 2") })
    }
  }

  @Test("`skynet systems` lists the systems named by --peers")
  func systemsThatAreNamedAreListed() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b", "--slots", "2"))
      let peers = "127.0.0.1:\(b.port),127.0.0.1:\(a.port)"
      let story = try await stage.skynet("systems", "--no-discovery", "--peers", peers).end()
      #expect(story.status == 0)
      let rows = story.output.map { $0.split(separator: " ").map(String.init) }
      #expect(
        rows.first == [
          "NAME", "ADDRESS", "SLOTS", "VERSION", "RUNNING", "WAITING", "DONE", "RETRIED", "LOAD",
          "CLIENTS",
        ])
      #expect(rows.dropFirst().allSatisfy { Array($0[4...7]) == ["0", "0", "0", "0"] })
      #expect(rows.dropFirst().map(\.first) == ["a", "b"])
      #expect(rows.last?[2] == "2" && rows.last?[1].hasSuffix(":\(b.port)") == true)
    }
  }
}
