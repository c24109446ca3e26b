import Foundation
import Testing

/// How the lines on standard error are written.
@Suite("The formats of the log", .timeLimit(.ample))
struct LogFormatTests {
  @Test("In JSON each line of a node is an object, from ready to stopped")
  func aNodesJSON() async throws {
    try await Stage.with { stage in
      let node = try stage.skynet(
        "node", "--name", "b", "--no-discovery", "--host", "127.0.0.1", "--log-format", "json",
        "--log-level", "debug")
      let ready = try object(try await node.line("node b ready on port "))
      let port = try #require(
        ready["message"]?.firstMatch(of: #/on port (\d+)/#).flatMap { Int($0.1) })
      let run = try stage.engage(
        peers: [port], "--total", "5", "--scan-seconds", "0", "--failing-every", "0", "--no-local")
      #expect(try await run.outcome().status == 0)
      try await node.line(#""message":"disconnected""#)
      node.send(SIGTERM)
      let lines = try await node.end().errors.map(object)
      #expect(
        lines.allSatisfy { line in
          ["time", "level", "label", "message"].allSatisfy { line[$0] != nil }
        })
      let scanned = try #require(lines.first { $0["message"] == "scanned" })
      #expect(
        scanned["level"] == "debug" && scanned["sector"] != nil && scanned["run"]?.count == 16)
      #expect(
        try #require(scanned["time"]).wholeMatch(
          of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil)
      let messages = lines.compactMap { $0["message"] }
      #expect(messages.contains("stopping") && messages.last == "stopped")
    }
  }

  @Test("In JSON an engagement's lines are objects, whose last one is the summary")
  func anEngagementsJSON() async throws {
    try await Stage.with { stage in
      let run = try stage.engage(
        "--total", "5", "--scan-seconds", "0", "--failing-every", "0", "--log-format", "json",
        "--peers", "127.0.0.1:1")
      let story = try await run.process.end()
      let lines = try story.errors.map(object)
      #expect(lines.last?["message"]?.hasPrefix("5 of 5 sectors in ") ?? false)
      #expect(lines.count { $0["message"]?.hasPrefix("completed ") ?? false } == 5)
      let bad = try await stage.skynet(
        "engage", "--no-discovery", "--total", "1", "--log-format", "json", "--events",
        stage.file("no/such")
      ).end()
      #expect(bad.status == 2)
      #expect(try object(try #require(bad.errors.last))["level"] == "error")
    }
  }

  @Test("Where standard error leads to systemd's journal, lines have a priority and no time")
  func journald() async throws {
    try await Stage.with { stage in
      // The service manager sets the variable to the device and inode of the stream that it opens.
      let script = #"JOURNAL_STREAM=$(stat -Lc %d:%i /dev/fd/2) exec "$@""#
      let arguments = [
        Paths.binary, "node", "--name", "b", "--no-discovery", "--host", "127.0.0.1",
      ]
      let node = try stage.launch("/bin/bash", ["-c", script, "sh"] + arguments)
      try await node.line("<6>node b ready on port ")
      node.send(SIGTERM)
      let lines = try await node.end().errors
      #expect(lines.contains { $0.hasPrefix("<6>stopping (scans 0") })
      #expect(lines.last == "<6>stopped")

      let text = try stage.launch(
        "/bin/bash", ["-c", script, "sh"] + arguments + ["--log-format", "text"])
      try await text.line("node b ready on port ")
      text.send(SIGTERM)
      #expect(
        try #require(try await text.end().timedErrors.last).wholeMatch(
          of: #/\d{4}-\d\d-\d\dT[\d:]+Z info: stopped/#) != nil)
    }
  }

  private func object(_ line: String) throws -> [String: String] {
    do {
      return try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
    } catch {
      throw Unexpected("no JSON: \(line)")
    }
  }
}
