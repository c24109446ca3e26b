#if os(Linux)
  import Foundation
  import Testing

  /// What a run shows in windows of several sizes, in a real terminal.
  @Suite(
    "Windows of terminals", .timeLimit(.ample), .enabled(if: Tmux.isThere, Tmux.missing))
  struct TmuxTests {
    private typealias Size = Tmux.Size

    /// The line of shell that runs `skynet engage` with these nodes.
    private func engage(_ nodes: [RunningNode], _ options: String) -> String {
      let peers = nodes.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
      return "'\(Paths.binary)' engage --no-discovery --slots 2 --name me "
        + (nodes.isEmpty ? "" : "--peers \(peers) ") + options
    }

    private func nodes(_ names: String..., on stage: Stage) async throws -> [RunningNode] {
      var nodes: [RunningNode] = []
      for name in names { nodes.append(try await stage.node(name, "--slots", "2")) }
      return nodes
    }

    /// Interrupts a run that lasts until then.
    private func interrupt(
      _ tmux: Tmux, wasResized: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
      try await tmux.press("C-c")
      return try await expectEnd(
        tmux, status: 130, wasResized: wasResized, sourceLocation: sourceLocation)
    }

    /// Expects that the run has ended, that its summary and the last words end it, and that nothing of a panel is left.
    /// tmux tells a new size late, so rows of a panel may be left after that.
    private func expectEnd(
      _ tmux: Tmux, status: Int, wasResized: Bool = false,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
      try await tmux.screen(showing: "ended with \(status)")
      let lines = try await tmux.everything()
      let end = try #require(lines.lastIndex { $0.hasPrefix("ended with ") })
      let summary = try #require(lines[..<end].lastIndex { $0.contains(" sectors in ") })
      _ = try Summary(lines[summary])
      // One line of what was done, and one of what to do next.
      #expect(end - summary <= 3, "\(lines[summary...])", sourceLocation: sourceLocation)
      #expect(
        wasResized
          || !lines.contains { $0.contains("█") || $0.contains("░") || $0.contains(" elapsed") },
        "\(lines)", sourceLocation: sourceLocation)
      return Array(lines[..<end])
    }

    @Test(
      "The panel fits its window, and a killed node's sectors are named",
      arguments: [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)])
    fileprivate func aKilledNode(size: Tmux.Size) async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", "b", on: stage)
        let line = engage(
          nodes,
          "--wait-for 2 --total 10000 --scan-seconds 0.5 --failing-every 10 --verbose")
        try await Tmux.with(stage, size, "env -u NO_COLOR \(line)") { tmux in
          let screen = try await tmux.screen { lines in
            lines.contains { $0.contains(" b ") && $0.contains("██") }
              && lines.contains { $0.contains("s left") }
          }
          #expect(screen.contains { $0.contains("of 10000") && $0.contains("░") })
          #expect(screen.contains { $0.contains("tasks/s") })
          // The cursor's line below the panel is free.
          #expect(screen.count < size.rows || screen.last?.isEmpty == true)
          let colored = try await tmux.coloredScreen()
          #expect(colored.contains { $0.contains("\u{1B}[32m██") }, "\(colored)")
          // A stopped process is silent, and then gone.
          nodes[1].process.send(SIGSTOP)
          try await tmux.screen(showing: "silent for ")
          try await tmux.screen(showing: "gone:")
          try await tmux.history(showing: "disconnected b")
          let lines = try await interrupt(tmux)
          let gone = try #require(lines.first { $0.hasPrefix("disconnected b: ") })
          #expect(
            gone.contains(/sectors? (is|are) handed out again: \d+/), "\(gone)")
          #expect(!lines.contains { $0.hasPrefix("re-run ") && $0.contains("not heard from") })
          #expect(lines.contains { $0.hasPrefix("re-run ") && $0.contains("simulated failure") })
        }
      }
    }

    @Test("In a window of 40 × 10 the busiest systems are shown, and how many more there are")
    func manySystems() async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", "b", "c", "d", "e", "f", "g", "火星", on: stage)
        let line = engage(nodes, "--wait-for 8 --total 10000 --scan-seconds 0.4 --failing-every 0")
        try await Tmux.with(stage, Size(columns: 40, rows: 10), line) { tmux in
          let screen = try await tmux.screen { $0.contains("  and 4 more") }
          let panel = try #require(screen.firstIndex { $0.contains("of 10000") })
          // Three lines of counts, five systems, and the line about the others.
          #expect(screen[panel...].prefix { !$0.isEmpty }.count == 9, "\(screen)")
          _ = try await interrupt(tmux)
        }
      }
    }

    @Test("A resized window gets a panel that fits, and keeps every line above it")
    func resizing() async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", on: stage)
        let line = engage(nodes, "--wait-for 1 --total 10000 --scan-seconds 0.4 --failing-every 0")
        try await Tmux.with(stage, Size(columns: 80, rows: 24), line) { tmux in
          try await tmux.screen(showing: "completed ")
          try await tmux.resize(to: Size(columns: 40, rows: 10))
          // Narrow windows have no room for the word.
          let small = try await tmux.screen { lines in
            lines.contains { $0.contains(" of 10000") && $0.first?.isNumber == true }
          }
          let panel = try #require(small.lastIndex { $0.contains(" of 10000") })
          #expect(small[panel...].count { $0.hasPrefix("  local ") } == 1, "\(small)")
          #expect(small[panel...].count { $0.hasPrefix("  a ") } == 1, "\(small)")
          try await tmux.resize(to: Size(columns: 100, rows: 30))
          let large = try await tmux.screen { lines in
            lines.contains { $0.hasPrefix("completed ") && $0.hasSuffix(" left") }
          }
          #expect(
            large.count { $0.hasPrefix("  local ") && $0.hasSuffix(" done") } == 1, "\(large)")
          let lines = try await interrupt(tmux, wasResized: true)
          #expect(lines.count { $0 == "connected a" } == 1, "\(lines)")
        }
      }
    }

    @Test(
      "A dumb terminal and a pipe get lines without escapes",
      arguments: ["TERM=dumb %", "env -u TERM %", "NO_COLOR= CLICOLOR=1 % 2>&1 | cat"])
    func plain(form: String) async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", on: stage)
        let line = form.replacing(
          "%",
          with: engage(nodes, "--wait-for 1 --total 20 --scan-seconds 0.2 --failing-every 10"))
        try await Tmux.with(stage, Size(columns: 80, rows: 30), line) { tmux in
          let lines = try await expectEnd(tmux, status: 0)
          #expect(lines.count { $0.contains(/^completed \d+ by (a|local)$/) } == 20)
          #expect(
            lines.contains { $0.contains(/^waiting for 1 system: none connected, \d+ s left$/) })
          let colored = try await tmux.coloredScreen()
          #expect(!colored.contains { $0.contains("\u{1B}") }, "\(colored)")
        }
      }
    }

    @Test("In the C locale everything is ASCII")
    func ascii() async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", on: stage)
        let line = "LC_ALL=C " + engage(nodes, "--wait-for 1 --total 10000 --scan-seconds 0.2")
        try await Tmux.with(stage, Size(columns: 80, rows: 24), line) { tmux in
          let screen = try await tmux.screen { lines in
            lines.contains { $0.hasPrefix("  a ") && $0.contains("##") }
              && lines.contains { $0.contains("of 10000  ") && $0.contains("..") }
          }
          #expect(screen.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(screen)")
          _ = try await interrupt(tmux)
        }
      }
    }

    @Test("The panel is there while the run is in the foreground")
    func background() async throws {
      try await Stage.with { stage in
        let results = stage.file("results")
        let line = engage(
          [], "--total 10000 --scan-seconds 0.2 --failing-every 0 --results \(results)")
        let shell = "PS1='prompt ' bash --norc --noprofile -i"
        try await Tmux.with(stage, Size(columns: 80, rows: 24), shell) { tmux in
          try await tmux.press("cd \(Paths.package.path)", "Enter", "clear", "Enter")
          try await tmux.press("\(line) &", "Enter")
          let reader = try stage.launch(
            "/usr/bin/tail", ["--lines=+1", "--retry", "--follow=name", results])
          _ = try await reader.output { $0.count >= 20 }
          try await tmux.press("echo out$((40 + 2))", "Enter")
          let behind = try await tmux.screen(showing: "out42")
          #expect(!behind.contains { $0.contains("tasks/s") }, "\(behind)")
          try await tmux.press("fg", "Enter")
          try await tmux.screen(showing: "tasks/s")
          try await tmux.press("C-z")
          let stopped = try await tmux.screen(showing: "Stopped")
          #expect(!stopped.contains { $0.contains("tasks/s") }, "\(stopped)")
          try await tmux.press("fg", "Enter")
          try await tmux.screen(showing: "tasks/s")
          try await tmux.press("C-c")
          let end = try await tmux.screen(showing: " sectors in ")
          // The shell's own lines are all there, and nothing of a panel.
          #expect(end.contains { $0.hasPrefix("out42") }, "\(end)")
          #expect(end.contains { $0.contains("Stopped") }, "\(end)")
          #expect(!end.contains { $0.contains("tasks/s") || $0.contains("█") }, "\(end)")
          try await tmux.press("exit", "Enter")
        }
      }
    }

    @Test("What the reader of the results prints on the same terminal is all there")
    func resultsIntoAPipe() async throws {
      try await Stage.with { stage in
        let line =
          engage([], "--total 40 --scan-seconds 0.1 --failing-every 0 --results -")
          + #" | while read -r result; do echo "got $result"; done"#
        try await Tmux.with(stage, Size(columns: 80, rows: 24), line) { tmux in
          try await tmux.screen(showing: "ended with 0")
          let lines = try await tmux.everything()
          #expect(lines.count { $0.hasPrefix(#"got {"sector":"#) } == 40, "\(lines)")
        }
      }
    }

    @Test("Without colours the panel says the same")
    func withoutColors() async throws {
      try await Stage.with { stage in
        let line = "NO_COLOR=1 " + engage([], "--total 10000 --scan-seconds 0.5 --failing-every 3")
        try await Tmux.with(stage, Size(columns: 80, rows: 24), line) { tmux in
          try await tmux.screen(showing: "█")
          #expect(try await tmux.coloredScreen().allSatisfy { !$0.contains("\u{1B}") })
          _ = try await interrupt(tmux)
        }
      }
    }

    @Test("Ctrl-C says at once what is waited for, and a second one stops")
    func interrupting() async throws {
      try await Stage.with { stage in
        let line = engage([], "--total 100 --scan-seconds 60 --scan-timeout 300")
        try await Tmux.with(stage, Size(columns: 80, rows: 24), line) { tmux in
          try await tmux.screen(showing: "██")
          try await tmux.press("C-c")
          try await tmux.screen(
            showing:
              "stopping: waiting for 2 scans, at most 300.0 s each; Ctrl-C again stops now")
          try await tmux.screen(showing: "stopping, 2 scans to wait for")
          try await tmux.press("C-c")
          try await tmux.screen(showing: "ended with 130")
        }
      }
    }

    @Test("A wait for systems counts down in place, and Ctrl-C ends it")
    func waiting() async throws {
      try await Stage.with { stage in
        let nodes = try await nodes("a", on: stage)
        let line = engage(nodes, "--wait-for 3 --total 10 --timeout 60")
        try await Tmux.with(stage, Size(columns: 80, rows: 24), line) { tmux in
          let form = /^waiting for 3 systems: 1 connected \(a\), 1 min (\d+) s left$/
          let first = try await tmux.screen { $0.contains { $0.contains(form) } }
          let later = try await tmux.screen { lines in
            lines.contains { $0.contains(form) } && lines != first
          }
          #expect(later.count { $0.hasPrefix("waiting for ") } == 1)
          try await tmux.press("C-c")
          try await tmux.screen(showing: "ended with 130")
          let lines = try await tmux.everything()
          #expect(lines.contains("stopping: nothing was begun"))
          #expect(!lines.contains { $0.hasPrefix("waiting for ") })
        }
      }
    }

    @Test("Two screens at once show who engages and who helps, and both move")
    func twoScreens() async throws {
      try await Stage.with { stage in
        // The port is known before the node is there.
        let free = try await stage.node("free")
        free.process.send(SIGTERM)
        _ = try await free.process.end()
        let size = Size(columns: 80, rows: 24)
        let node =
          "'\(Paths.binary)' node --name b --slots 3 --host 127.0.0.1 --port \(free.port) "
          + "--no-discovery"
        try await Tmux.with(stage, size, node) { helper in
          try await helper.screen(showing: "nothing to scan")
          let line =
            "'\(Paths.binary)' engage --no-discovery --slots 2 --name ada --wait-for 1 "
            + "--peers 127.0.0.1:\(free.port) --total 10000 --scan-seconds 0.5 --failing-every 0"
          try await Tmux.with(stage, size, line) { engaging in
            // Whether the other is connected and at work, what is done, how fast, and what is left.
            for indicator in ["connected b", "  b ", "██", "completed ", "tasks/s", " left"] {
              try await engaging.screen(showing: indicator)
            }
            try await helper.screen(showing: "connected: ada")
            // The node's log stands in its screen, below the line that stays, and is no column of dates.
            try await helper.screen { lines in
              let ready = lines.firstIndex { $0.hasPrefix("node b ready on port ") }
              let news = lines.lastIndex {
                $0.contains(/^\d\d:\d\d:\d\d  connected \(client ada\)/)
              }
              guard let ready, let news else { return false }
              return ready < news && !lines.contains { $0.contains(/^\d{4}-\d\d-\d\dT/) }
            }
            try await helper.screen(showing: " of 10000")
            var pictures: Set<String> = []
            try await helper.screen { lines in
              let moving = lines.first { $0.contains("scanning 3 sectors for ada") }
              if let moving { pictures.insert(String(moving.prefix(1))) }
              return pictures.count >= 3
            }
            _ = try await interrupt(engaging)
          }
          try await helper.screen(showing: "nothing to scan")
        }
      }
    }

    @Test("The end says which files were written, and the summary comes last")
    func writtenFiles() async throws {
      try await Stage.with { stage in
        let (results, events) = (stage.file("r.jsonl"), stage.file("e.jsonl"))
        let line = engage(
          [],
          "--total 5 --scan-seconds 0 --results \(results) --events \(events) --journal "
            + stage.file("run.sqlite"))
        try await Tmux.with(stage, Size(columns: 200, rows: 24), line) { tmux in
          let lines = try await expectEnd(tmux, status: 0)
          let count = try String(contentsOfFile: events, encoding: .utf8)
            .split(separator: "\n").count
          // The summary, the last words and what to do next follow.
          #expect(
            lines.suffix(6).dropLast(3) == [
              "wrote \(results): 5 results", "wrote \(events): \(count) events",
              "recorded in \(stage.file("run.sqlite")): 5 of 5 sectors",
            ])
        }
      }
    }
  }
#endif
