import Foundation
import SkyNetKeys
import Testing

/// What `skynet watch` prints where it cannot draw.
@Suite("Plain reports of skynet watch", .timeLimit(.ample))
struct WatchReportTests {
  @Test("One report has the systems, and whom they scan for")
  func once() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      let run = try stage.engage(
        peers: [a.port], "--no-local", "--name", "ada", "--total", "100000", "--scan-seconds", "0.3"
      )
      try await run.completions(3, by: "a")
      let story = try await stage.skynet(
        "watch", "--once", "--no-discovery", "--peers", "127.0.0.1:\(a.port)"
      ).end()
      #expect(story.status == 0 && story.errors.isEmpty)
      #expect(story.output.first?.contains("  1 system, 2 of 2 slots busy") == true)
      #expect(story.output.contains { $0.hasPrefix("a       2/2 ") && $0.contains(" ada 2") })
      #expect(story.output.contains { $0.hasPrefix("ENGAGEMENT ") })
      #expect(story.output.contains { $0.contains(" ada ") && $0.contains("/100000 ") })
      #expect(!story.output.contains { $0.contains("\u{1B}") || $0.contains("█") })
      try await run.stopUndisturbed()
    }
  }

  @Test("Programs that only look come and go without a line on a node")
  func looks() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("a")
      let address = ["--no-discovery", "--peers", "127.0.0.1:\(node.port)"]
      let look = try await stage.skynet(["systems", "--wait", "1"] + address).end()
      #expect(look.status == 0 && look.output.count == 2, "\(look.output)")
      #expect(try await stage.skynet(["watch", "--once"] + address).end().status == 0)
      let run = try stage.engage(
        peers: [node.port], "--wait-for", "1", "--name", "client", "--total", "2",
        "--scan-seconds", "0")
      #expect(try await run.outcome().status == 0)
      try await node.process.line("disconnected (client client")
      // The one line of each is the run's.
      let told = node.process.soFar.errors.filter { $0.contains("connected (client ") }
      #expect(told.count == 2, "\(told)")
      #expect(told.allSatisfy { $0.contains("(client client") }, "\(told)")
    }
  }

  @Test("In a pipe there is a report each interval, until a signal")
  func pipe() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      let watch = try stage.launch(
        "/bin/sh",
        [
          "-c",
          "exec '\(Paths.binary)' watch --interval 0.2 --no-discovery --peers 127.0.0.1:\(a.port) >&2",
        ])
      try await watch.lines(3) { $0.contains("1 system, 0 of 2 slots busy") }
      try await watch.line("connected a: 2 slots at 127.0.0.1:\(a.port)")
      a.process.send(SIGTERM)
      try await watch.line("disconnected a: ")
      try await watch.line("0 systems, 0 of 0 slots busy")
      watch.send(SIGTERM)
      let story = try await watch.end()
      #expect(story.status == 143)
      #expect(story.errors.count { $0.contains("connected a: 2 slots") } == 1)
    }
  }

  @Test("`skynet systems` has the engagements as a table and as JSON")
  func systems() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      let run = try stage.engage(
        peers: [a.port], "--no-local", "--name", "ada", "--total", "100000", "--scan-seconds", "0.3"
      )
      try await run.completions(3, by: "a")
      let options = ["--no-discovery", "--peers", "127.0.0.1:\(a.port)", "--wait", "1"]
      let table = try await stage.skynet(["systems"] + options).end()
      let heading = try #require(table.output.firstIndex { $0.hasPrefix("ENGAGEMENTS ") })
      #expect(table.output[heading - 1].isEmpty)
      #expect(table.output[heading + 1].contains(" ada "))
      let json = try await stage.skynet(["systems", "--json"] + options).end()
      #expect(json.output.count == 1)
      let row = try JSONDecoder().decode(Row.self, from: Data(json.output[0].utf8))
      // A slot may be free for a moment, between two scans.
      #expect((1...2).contains(row.scanning.count))
      #expect(row.scanning.allSatisfy { $0.client == "ada" })
      #expect(row.engagements.map(\.client) == ["ada"])
      #expect(row.scanning.allSatisfy { $0.run == row.engagements.first?.run })
      try await run.stopUndisturbed()
    }
  }

  private struct Row: Decodable {
    struct Scan: Decodable {
      let client: String
      let run: String
    }

    struct Engagement: Decodable {
      let client: String
      let run: String
    }

    let scanning: [Scan]
    let engagements: [Engagement]
  }

  @Test(
    "What cannot be is refused",
    arguments: [
      ["--interval", "0"], ["--wait", "2"], ["--no-discovery"], ["--timeout", "0"],
      ["--once", "x"],
    ])
  func refused(options: [String]) async throws {
    try await Stage.with { stage in
      let story = try await stage.skynet(["watch"] + options).end()
      #expect(story.status == 64)
      #expect(story.errors.first?.hasPrefix("error: ") == true)
    }
  }
}

#if os(Linux)
  /// What `skynet watch` draws, in a real terminal.
  @Suite(
    "The screen of skynet watch", .timeLimit(.ample),
    .enabled(if: Tmux.isThere, Tmux.missing))
  struct WatchScreenTests {
    private typealias Size = Tmux.Size

    /// The line of shell that watches these nodes, with a word before it that must be seen again after it, and
    /// another one if the terminal's settings are not as they were before.
    private func watch(
      _ nodes: [RunningNode], _ options: String = "", environment: String = "",
      command: String = "'\(Paths.binary)'"
    ) -> String {
      let peers = nodes.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
      return "echo before; settings=$(stty -g); \(environment) \(command) watch --no-discovery "
        + "--peers \(peers) \(options); status=$?; "
        + "[ \"$settings\" = \"$(stty -g)\" ] || echo changed; (exit $status)"
    }

    private func nodes(_ names: String..., on stage: Stage) async throws -> [RunningNode] {
      var nodes: [RunningNode] = []
      for name in names { nodes.append(try await stage.node(name, "--slots", "2")) }
      return nodes
    }

    private func engagement(_ nodes: [RunningNode], on stage: Stage) throws -> RunningEngagement {
      try stage.engage(
        peers: nodes.map(\.port), "--no-local", "--name", "ada", "--total", "100000",
        "--scan-seconds", "0.3")
    }

    /// Expects that the terminal is as it was before.
    private func expectRestored(_ tmux: Tmux, status: Int) async throws {
      let lines = try await tmux.screen(showing: "ended with \(status)").filter { !$0.isEmpty }
      #expect(lines == ["before", "ended with \(status)"])
    }

    @Test(
      "Systems, engagements, comings and goings are shown in the whole window",
      arguments: [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)])
    fileprivate func overview(size: Tmux.Size) async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", "b", on: stage)
        let run = try engagement(nodes, on: stage)
        try await run.completions(by: "b")
        try await Tmux.with(stage, size, watch(nodes)) { tmux in
          let screen = try await tmux.screen { lines in
            lines.contains { $0.contains(" a ") && $0.contains("2/2") && $0.contains("ada 2") }
              && lines.contains { $0.contains("simulated") && $0.contains("%") }
          }
          #expect(screen.first?.contains("2 systems  4 of 4 slots busy") == true)
          #expect(screen.last?.hasPrefix("q leave") == true)
          #expect(screen.count == size.rows)
          #expect(!screen.contains("before"))
          nodes[1].process.send(SIGKILL)
          try await tmux.screen { $0.contains { $0.contains("b ") && $0.contains("gone") } }
          try await tmux.press("q")
          try await expectRestored(tmux, status: 0)
        }
        try await run.stopUndisturbed()
      }
    }

    @Test("Keys sort, pick, show details and lead back")
    func keys() async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", "b", on: stage)
        let run = try engagement(nodes, on: stage)
        try await run.completions(by: "b")
        try await Tmux.with(stage, Size(columns: 80, rows: 24), watch(nodes)) { tmux in
          try await tmux.screen(showing: "ada 2")
          try await tmux.press("s")
          try await tmux.screen(showing: "s sort (busy)")
          try await tmux.press("Down", "Down")
          try await tmux.screen { $0.contains { $0.hasPrefix("> ") } }
          try await tmux.press("Enter")
          try await tmux.screen(showing: "seen since")
          let details = try await tmux.screen(showing: "SECTOR")
          #expect(details.contains { $0.contains("offers") && $0.contains("simulated/") })
          try await tmux.press("Escape", "Tab")
          // On a busy machine the list may be empty for a moment, and Enter then has nothing to show.
          try await tmux.screen { lines in
            lines.contains { $0.hasPrefix("▸ ENGAGEMENT") }
              && lines.contains { $0.contains("simulated sky") && $0.contains("/100000") }
          }
          try await tmux.press("Enter")
          try await tmux.screen(showing: "scans on")
          try await tmux.press("?")
          try await tmux.screen(showing: "nodes of other clusters")
          try await tmux.press("?")
          try await tmux.screen(showing: "SYSTEM")
          try await tmux.press("C-c")
          try await expectRestored(tmux, status: 130)
        }
        try await run.stopUndisturbed()
      }
    }

    @Test("A resized window is filled anew")
    func resizing() async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", "b", "c", "d", "e", "f", on: stage)
        try await Tmux.with(stage, Size(columns: 80, rows: 24), watch(nodes)) { tmux in
          try await tmux.screen(showing: " f ")
          try await tmux.resize(to: Size(columns: 40, rows: 10))
          let small = try await tmux.screen { lines in
            lines.count == 10 && lines.last?.hasPrefix("q leave") == true
          }
          #expect(small.first?.hasPrefix("6 systems") == true)
          #expect(small.contains { $0.hasSuffix(" more") })
          try await tmux.resize(to: Size(columns: 100, rows: 30))
          let large = try await tmux.screen { lines in
            lines.count == 30 && lines.last?.hasPrefix("q leave") == true
          }
          #expect(large.contains { $0.contains(" f ") })
          #expect(large.count { $0.hasPrefix("q leave") } == 1)
          try await tmux.press("q")
          try await expectRestored(tmux, status: 0)
        }
      }
    }

    @Test(
      "A signal leaves the terminal as it was",
      arguments: [("TERM", 143), ("HUP", 143), ("INT", 130)])
    func signals(signal: String, status: Int) async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", on: stage)
        // The shell in between tells the process's id.
        let command =
          "sh -c 'echo $$ >\(stage.file("id")); exec \"\(Paths.binary)\" \"$@\"' sh"
        let line = watch(nodes, command: command)
        try await Tmux.with(stage, Size(columns: 80, rows: 24), line) { tmux in
          try await tmux.screen(showing: "connected a")
          let id = try String(contentsOfFile: stage.file("id"), encoding: .utf8)
          _ = try await stage.launch(
            "/bin/kill", ["-\(signal)", id.trimmingCharacters(in: .whitespacesAndNewlines)]
          ).end()
          try await expectRestored(tmux, status: status)
        }
      }
    }

    @Test("A terminal that cannot be drawn on gets plain reports")
    func dumb() async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", on: stage)
        let line = watch(nodes, "--interval 0.3", environment: "TERM=dumb")
        try await Tmux.with(stage, Size(columns: 80, rows: 24), line) { tmux in
          try await tmux.screen { $0.count { $0.contains("1 system, 0 of 2 slots busy") } > 2 }
          try await tmux.press("C-c")
          try await tmux.screen(showing: "ended with 130")
          let lines = try await tmux.everything()
          #expect(lines.count { $0.contains("connected a: 2 slots") } == 1)
          #expect(!lines.contains { $0.contains("q leave") })
        }
      }
    }
  }
#endif
