import Foundation
import Testing

/// A byte that is changed on the way breaks a connection, and says nothing of keys.
@Suite(.timeLimit(.minutes(20)))
struct DamagedLinkTests {
  @Test(arguments: FaultyWire.Way.allCases)
  func aChangedByteIsABrokenConnectionWhichIsMadeAgainAtOnce(_ way: FaultyWire.Way) async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let wire = try await FaultyWire.open(to: "127.0.0.1", port: a.port)
      defer { wire.stop() }
      // It is not to end before the byte is changed.
      let run = try stage.engage(
        peers: [wire.port], "--no-local", "--total", "10000", "--scan-seconds", "0.2",
        "--failing-every", "0")
      try await run.completions(by: "a")
      wire.changeByte(way)
      let disconnected = try await run.process.line("disconnected a: ")
      try await run.process.lines(2) { $0 == "connected a" }
      // Whichever side reads the byte knows what became of it.
      let reader = way == .toNode ? a.process : run.process
      let told = try await reader.line("the connection broke: what arrived is not what was sent (")
      if way == .toClient { #expect(told == disconnected) }
      for line in run.process.soFar.errors + a.process.soFar.errors {
        #expect(!line.contains("key"), "\(line)")
      }
    }
  }
}
