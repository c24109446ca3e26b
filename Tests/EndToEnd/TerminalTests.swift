#if os(Linux)
  import Foundation
  import Testing

  /// What is shown on a terminal: a view that is redrawn in place.
  @Suite(
    .timeLimit(.minutes(2)),
    .enabled("no script(1) here to make a terminal: it is in util-linux") {
      await Terminal.isPossible
    })
  struct TerminalTests {
    @Test func aRunIsShownWhileItGoesOn() async throws {
      try await Stage.with { stage in
        let a = try await stage.node("a")
        let run = try Terminal.run(
          "engage --no-discovery --peers 127.0.0.1:\(a.port) --wait-for 1 --total 24 "
            + "--scan-seconds 0.4", on: stage)
        let story = try await run.end()
        #expect(story.status == 0)
        let lines = Terminal.lines(story)
        #expect(lines.contains { $0.contains("tasks/s   connected to 1 system") })
        #expect(lines.contains { $0.contains("of 24") && $0.contains("█") && $0.contains("left") })
        #expect(lines.contains { $0.contains("a ") && $0.contains("in flight") })
        #expect(!lines.contains { $0.hasPrefix("completed ") && $0.contains(" by ") })
        // The view goes, and the summary stays.
        let last = try #require(lines.last)
        let clear = "\u{1B}[J"
        let end = try #require(last.range(of: clear, options: .backwards)?.upperBound)
        #expect(try Summary(String(last[end...])).completed == 24)
      }
    }

    @Test func aNodeShowsWhatItDoesAndForWhom() async throws {
      try await Stage.with { stage in
        // A port that was free a moment ago; on a terminal, it is awaited by those who dial it.
        let free = try await stage.node("free")
        free.process.send(SIGTERM)
        _ = try await free.process.end()
        let node = try Terminal.run(
          "node --name a --host 127.0.0.1 --port \(free.port) --no-discovery", on: stage)
        let run = try stage.engage(
          peers: [free.port], "--name", "client", "--no-local", "--total", "12",
          "--scan-seconds", "0.4")
        try await run.outcome().expectEverySectorOnce(of: 12)
        // script(1) passes SIGTERM on.
        node.send(SIGTERM)
        let lines = Terminal.lines(try await node.end())
        #expect(lines.contains { $0.contains("node a ready on port \(free.port) with 4 slots") })
        #expect(lines.contains { $0.contains("4 of 4 slots busy") })
        #expect(lines.contains { $0.contains("for client, ") && $0.contains("  sector ") })
        #expect(lines.contains { $0.contains("for client: ") && $0.contains(" done") })
      }
    }
  }

  /// A terminal of a process's own.
  private enum Terminal {
    static var isPossible: Bool {
      get async {
        let trial = try? Running(
          "/usr/bin/env", ["script", "--quiet", "--return", "--command", "tty", "/dev/null"])
        return (try? await trial?.end(within: .seconds(10)).status) == 0
      }
    }

    static func run(_ arguments: String, on stage: Stage) throws -> Running {
      let command = "exec '\(Place.binary)' \(arguments)"
      return try stage.launch(
        "/usr/bin/env",
        ["script", "--quiet", "--flush", "--return", "--command", command, "/dev/null"])
    }

    /// Lines on a terminal end in a carriage return too.
    static func lines(_ story: Running.Story) -> [String] {
      story.output.map { $0.replacing("\r", with: "") }
    }
  }
#endif
