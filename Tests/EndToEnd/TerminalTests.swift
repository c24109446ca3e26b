#if os(Linux)
  import Foundation
  import Testing

  /// The output on a terminal: lines, and a panel that is redrawn in place.
  @Suite(
    "Terminals", .timeLimit(.ample),
    .enabled("no script(1) here to make a terminal: it is in util-linux") {
      await Terminal.isPossible
    })
  struct TerminalTests {
    @Test("A run on a terminal shows its progress in a panel")
    func aRunShowsItsProgress() async throws {
      try await Stage.with { stage in
        let a = try await stage.node("a")
        let run = try Terminal.run(
          "engage --no-discovery --peers 127.0.0.1:\(a.port) --wait-for 1 --total 64 "
            + "--scan-seconds 0.4", on: stage)
        let story = try await run.end()
        #expect(story.status == 0)
        let lines = Terminal.lines(story)
        #expect(lines.contains { $0.contains(" tasks/s   ") && $0.contains(" in flight") })
        #expect(lines.contains { $0.contains("connected to 1 system") })
        #expect(lines.contains { $0.contains("of 64") && $0.contains("█") && $0.contains("left") })
        #expect(lines.contains { $0.contains("  a ") && $0.contains("/s") && $0.contains(" done") })
        #expect(!lines.contains { $0.hasPrefix("completed ") && $0.contains(" by ") })
        // A light runs while others help.
        #expect(lines.contains { $0.contains("connected to 1 system ") && $0.contains("●") })
        // The panel is gone. The summary and the last words stay, and what to do next is said once.
        let summary = try #require(lines.last { $0.contains(" sectors in ") })
        let clear = "\u{1B}[2K"
        let end =
          summary.range(of: clear, options: .backwards)?.upperBound ?? summary.startIndex
        #expect(try Summary(String(summary[end...])).completed == 64)
        let words = lines.suffix(2)
        #expect(words.first?.contains("✓ 64 sectors done, ") == true)
        #expect(words.first?.contains(" times one system alone") == true)
        #expect(words.last?.contains("next: --journal FILE lets") == true)
        let second = try Terminal.run(
          "engage --no-discovery --total 4 --scan-seconds 0.1 --failing-every 0", on: stage)
        let last = Terminal.lines(try await second.end()).last
        #expect(last?.contains("✓ 4 sectors done, ") == true)
      }
    }

    /// Small windows cut the panel, but with --verbose never a line with a reason. A window of 0 × 0 works like
    /// any other.
    @Test(
      "With --verbose, the lines above the panel are those that a pipe gets",
      arguments: [(24, 80), (4, 20), (2, 12), (1, 40), (0, 0)])
    func theLinesAboveThePanel(rows: Int, columns: Int) async throws {
      try await Stage.with { stage in
        let a = try await stage.node("a")
        let arguments = [
          "engage", "--no-discovery", "--peers", "127.0.0.1:\(a.port)", "--wait-for", "1",
          "--no-local", "--total", "3", "--scan-seconds", "0.3", "--failing-every", "1",
          "--attempts", "2",
        ]
        let piped = try await stage.skynet(arguments).end()
        let run = try Terminal.run(
          arguments.joined(separator: " ") + " --verbose", on: stage, rows: rows, columns: columns)
        let story = try await run.end()
        #expect(story.status == 1 && piped.status == 1)
        var screen = Screen(
          columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24)
        screen.write(story.output.joined(separator: "\n") + "\n")
        #expect(screen.unknown.isEmpty)
        // No part of the panel is left. The last words follow.
        let summary = try #require(screen.lines.firstIndex { $0.contains(" sectors in ") })
        #expect(
          Self.withoutTimes(Array(screen.lines[...summary])) == Self.withoutTimes(piped.errors))
        #expect(screen.lines[summary + 1].hasPrefix("✗ 3 of 3 sectors failed"))
        // A terminal counts down in place, and a pipe gets a line for each change.
        #expect(piped.errors.first?.hasPrefix("waiting for 1 system: none connected, ") == true)
        #expect(screen.lines.count { $0.hasPrefix("re-run ") } == 3)
        let reasons = screen.lines.filter { $0.hasPrefix("gave up ") }
        #expect(reasons.count == 3)
        #expect(
          reasons.allSatisfy { $0.contains("simulated failure") && $0.hasSuffix("(2 times)") })
      }
    }

    @Test("Failures of one reason share lines of one row each, and the end names the reason")
    func failuresShareLines() async throws {
      try await Stage.with { stage in
        let run = try Terminal.run(
          "engage --no-discovery --total 60 --slots 4 --scan-seconds 0.01 --failing-every 1 "
            + "--attempts 2", on: stage, rows: 24, columns: 60)
        let story = try await run.end()
        #expect(story.status == 1)
        var screen = Screen(columns: 60, rows: 24)
        screen.write(story.output.joined(separator: "\n") + "\n")
        let notices = screen.lines.filter { $0.hasPrefix("gave up ") || $0.hasPrefix("re-run ") }
        #expect(notices.count < 20, "\(notices)")
        #expect(notices.contains { $0.contains(" more sectors, such as ") })
        #expect(notices.allSatisfy { $0.count <= 60 })
        let ends = screen.lines.filter { $0.hasPrefix("failed: ") }
        #expect(ends.count == 1 && ends[0].hasPrefix("failed: sector 0 and 59 more: "), "\(ends)")
      }
    }

    @Test("A tall window has lines of completed sectors above the panel")
    func completionsScroll() async throws {
      try await Stage.with { stage in
        let run = try Terminal.run(
          "engage --no-discovery --total 40 --slots 4 --scan-seconds 0.1 --failing-every 0",
          on: stage, rows: 60, columns: 200)
        let story = try await run.end()
        #expect(story.status == 0)
        var screen = Screen(columns: 200, rows: 60)
        screen.write(story.output.joined(separator: "\n") + "\n")
        #expect(screen.lines.contains { $0.hasPrefix("completed ") && $0.hasSuffix(" by local") })
        #expect(screen.lines.contains { $0.hasPrefix("and ") && $0.hasSuffix(" more completed") })
      }
    }

    /// The lines in an order that does not depend on the systems' speed, and without the parts that
    /// differ between runs.
    private static func withoutTimes(_ lines: [String]) -> [String] {
      // Whether the last failures are in a row when a system is paused depends on their order.
      lines.filter { !$0.hasPrefix("waiting for ") && !$0.hasPrefix("paused ") }
        .map { $0.replacing(/in [0-9.]+ s/, with: "in … s") }.sorted()
    }

    /// A panel would overwrite the results.
    @Test(
      "A terminal that shows results shows all of them",
      arguments: ["--json", "--results /dev/stdout", "--results /dev/tty"])
    func resultsOnTheTerminalAreAllThere(option: String) async throws {
      try await Stage.with { stage in
        let run = try Terminal.run(
          "engage --no-discovery --total 12 --slots 2 --scan-seconds 0.1 --failing-every 0 "
            + option, on: stage)
        let story = try await run.end()
        #expect(story.status == 0)
        let lines = Terminal.lines(story)
        let sectors = lines.compactMap { $0.wholeMatch(of: /\{"sector":(\d+),.*\}/)?.1 }
        #expect(sectors.compactMap { Int($0) }.sorted() == Array(0..<12))
        // Besides the results there are only the summary and the last words.
        #expect(try Summary(lines[12]).completed == 12)
        #expect(lines[13].contains("✓ 12 sectors done, ") && lines.count <= 15)
      }
    }

    @Test(
      "A terminal is shown what a program's output would have it do, and a pipe gets every byte")
    func aProgramsOutputIsShown() async throws {
      try await Stage.with { stage in
        let line = "engage --no-discovery --total 1 --quiet"
        // OSC 52 sets the clipboard, and U+202E reverses the text behind it.
        let format = #"a\033]52;c;eA==\007\342\200\256b\n"#
        let shown = try await Terminal.run("\(line) -- printf '\(format)'", on: stage).end()
        #expect(shown.status == 0)
        let lines = Terminal.lines(shown)
        #expect(lines.contains(#"a\u{1B}]52;c;eA==\u{07}\u{202E}b"#), "\(lines)")
        #expect(!lines.contains { $0.contains("\u{1B}]") || $0.contains("\u{202E}") })
        let json = try await Terminal.run("\(line) --json -- printf '\(format)'", on: stage).end()
        #expect(
          Terminal.lines(json).contains {
            $0.hasPrefix(#"{"sector":0,"result":"a\u001b]52;c;eA==\u0007\u202eb\n","#)
          }, "\(json.output)")
        let piped = try await stage.skynet(
          line.split(separator: " ").map(String.init) + ["--", "printf", format]
        ).end()
        #expect(piped.output == ["a\u{1B}]52;c;eA==\u{7}\u{202E}b"])
      }
    }

    @Test("A catalogue does not fill a terminal: --catalog is asked for")
    func aCatalogueDoesNotFillTheTerminal() async throws {
      try await Stage.with { stage in
        let sky = stage.file("sky.fits")
        let made = try await stage.skynet("make-sky", sky, "--size", "512", "--stars", "60")
          .end()
        try #require(made.status == 0)
        let line = "engage --no-discovery --image \(sky)"
        let refused = try await Terminal.run(line, on: stage, rows: 24, columns: 80).end()
        #expect(refused.status == 64)
        let first = Terminal.lines(refused).first ?? ""
        #expect(first.hasPrefix("error: a catalogue would fill the terminal"), "\(first)")
        #expect(first.contains("--catalog"), "\(first)")
        // Into a file it goes, and beside a terminal that gets nothing of it.
        let catalog = stage.file("sources.csv")
        let written = try await Terminal.run("\(line) --catalog \(catalog)", on: stage).end()
        #expect(written.status == 0)
        let piped = try await stage.skynet(line.split(separator: " ").map(String.init)).end()
        #expect(piped.status == 0 && piped.output.count > 1)
        let text = try String(contentsOfFile: catalog, encoding: .utf8)
        #expect(text.split(separator: "\n").map(String.init) == piped.output)
      }
    }

    @Test("A terminal that stands still holds up no heartbeat")
    func stoppedTerminal() async throws {
      try await Stage.with { stage in
        let node = try await stage.node("b", "--slots", "2")
        let results = stage.file("results")
        let terminal = try Terminal.run(
          "engage --no-discovery --peers 127.0.0.1:\(node.port) --name ada --slots 2 "
            + "--total 100000 --scan-seconds 0.1 --failing-every 4 --timeout 2 --results \(results)",
          on: stage)
        let reader = try stage.launch(
          "/usr/bin/tail", ["--lines=+1", "--retry", "--follow=name", results])
        _ = try await reader.output { $0.count >= 20 }
        // script(1) no longer takes what the terminal gets, so that a write to it blocks.
        terminal.send(SIGSTOP)
        // Some 10 s of work, and so several timeouts, and ten times what the terminal holds.
        _ = try await reader.output { $0.count >= 420 }
        terminal.send(SIGCONT)
        terminal.send(SIGINT)
        let lines = Terminal.lines(try await terminal.end())
        #expect(lines.contains { $0.contains("connected b") })
        #expect(!lines.contains { $0.contains("disconnected b") }, "\(lines.suffix(20))")
        #expect(!lines.contains { $0.contains("silent for") }, "\(lines.suffix(20))")
      }
    }

    @Test("A node on a terminal shows its scans by client")
    func aNodeShowsItsScansByClient() async throws {
      try await Stage.with { stage in
        // A port that was free a moment ago: the node's ready line cannot be read from its
        // terminal, so the engagement retries until the node listens.
        let free = try await stage.node("free")
        free.process.send(SIGTERM)
        _ = try await free.process.end()
        let node = try Terminal.run(
          "node --name a --host 127.0.0.1 --port \(free.port) --no-discovery", on: stage)
        let run = try stage.engage(
          peers: [free.port], "--name", "client", "--no-local", "--total", "40",
          "--scan-seconds", "0.4")
        try await run.outcome().expectEverySectorOnce(of: 40)
        // script(1) forwards SIGTERM.
        node.send(SIGTERM)
        let lines = Terminal.lines(try await node.end())
        #expect(lines.contains { $0.contains("node a ready on port \(free.port) with 4 slots") })
        #expect(lines.contains { $0.contains("4 of 4 slots busy") })
        #expect(lines.contains { $0.contains("scanning 4 sectors for client") })
        #expect(lines.contains { $0.contains("of client: ") && $0.contains(" of 40") })
        #expect(lines.contains { $0.contains("for client, ") && $0.contains("  sector ") })
        #expect(lines.contains { $0.contains("for client: ") && $0.contains(" done") })
      }
    }
  }

  /// Runs a process on its own terminal.
  private enum Terminal {
    static var isPossible: Bool {
      get async {
        let trial = try? RunningProcess(
          "/usr/bin/env", ["script", "--quiet", "--return", "--command", "tty", "/dev/null"])
        return (try? await trial?.end().status) == 0
      }
    }

    static func run(
      _ arguments: String, on stage: Stage, rows: Int = 24, columns: Int = 80
    ) throws -> RunningProcess {
      let command =
        "stty rows \(rows) cols \(columns); exec '\(Paths.binary)' \(arguments)"
      return try stage.launch(
        "/usr/bin/env",
        ["script", "--quiet", "--flush", "--return", "--command", command, "/dev/null"],
        ["TERM": "xterm"])
    }

    /// The lines without the carriage return that a terminal adds.
    static func lines(_ story: RunningProcess.Story) -> [String] {
      story.output.map { $0.replacing("\r", with: "") }
    }
  }
#endif
