import Foundation
import Testing

/// A byte that changes on the way breaks the connection, and no message blames a key.
@Suite("Links that change bytes", .timeLimit(.ample))
struct DamagedLinkTests {
  @Test(
    "A changed byte breaks the connection, which is made again at once",
    arguments: FaultyWire.Way.allCases)
  func aChangedByteBreaksTheConnection(_ way: FaultyWire.Way) async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let wire = try await FaultyWire.open(to: "127.0.0.1", port: a.port)
      defer { wire.stop() }
      // The run must not end before the byte is changed.
      let run = try stage.engage(
        peers: [wire.port], "--no-local", "--total", "10000", "--scan-seconds", "0.2",
        "--failing-every", "0")
      try await run.completions(by: "a")
      wire.changeByte(way)
      let disconnected = try await run.process.line("disconnected a: ")
      try await run.process.lines(2) { $0 == "connected a" }
      // The side that reads the byte names the fault.
      let reader = way == .toNode ? a.process : run.process
      let message = try await reader.line(
        "the connection broke: what arrived is not what was sent (")
      if way == .toClient { #expect(message == disconnected) }
      for line in run.process.soFar.errors + a.process.soFar.errors {
        #expect(!line.contains("key"), "\(line)")
      }
    }
  }
}
