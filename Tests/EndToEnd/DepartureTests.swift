import Foundation
import Testing

/// Nodes that leave by themselves: at the end of their lifetime, or because nothing is to be scanned.
@Suite("Nodes that leave by themselves", .timeLimit(.ample))
struct DepartureTests {
  @Test("A node whose lifetime ends in mid-run leaves in time, and each sector is scanned once")
  func lifetime() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let begin = ContinuousClock.now
      // A busy machine takes seconds to start the engagement.
      let b = try await stage.node("b", "--lifetime", "15s")
      try await b.process.line("leaves when its lifetime is over (lifetime 15.0 s)")
      let run = try stage.engage(
        peers: [a.port, b.port], "--wait-for", "2", "--no-local", "--scan-seconds", "0.05",
        "--total", "5000", "--failing-every", "0")
      try await run.completions(by: "b")
      #expect(try await b.process.end().status == 0)
      #expect(ContinuousClock.now - begin < .seconds(25), "it had 15 s, and machines may be busy")
      try await run.process.line("b takes nothing new")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 5000)
      #expect(try outcome.summary.retried == 0, "what it hands back has not begun")
      // It has said goodbye, so nobody wonders that it is not there.
      #expect(!outcome.errors.contains { $0.contains("cannot be reached") })
    }
  }

  /// A scan of an hour cannot end in time. It is given up so early that the node is gone in time.
  @Test("A node with scans that do not end leaves when its lifetime is over")
  func lifetimeWithLongScans() async throws {
    try await Stage.with { stage in
      let b = try await stage.node("b", "--lifetime", "15s", "--drain-timeout", "1h")
      let run = try stage.engage(
        peers: [b.port], "--no-local", "--scan-seconds", "3600", "--total", "8")
      try await run.process.line("connected b")
      try await b.process.line("scans that still run are given up")
      #expect(try await b.process.end().status == 0)
    }
  }

  @Test("An idle node leaves after its idle timeout, though a program is connected")
  func idle() async throws {
    try await Stage.with { stage in
      let b = try await stage.node("b", "--idle-timeout", "10s", "--log-level", "debug")
      let watch = try stage.skynet(
        "watch", "--no-discovery", "--peers", "127.0.0.1:\(b.port)", "--interval", "0.2")
      try await b.process.line("debug: connected")
      try await b.process.line("it has had nothing to scan for 10.0 s")
      #expect(try await b.process.end().status == 0)
      watch.send(SIGTERM)
      _ = try await watch.end()
    }
  }

  @Test("A node that is stopped gives running scans as long as its drain timeout says")
  func drainTimeout() async throws {
    try await Stage.with { stage in
      let b = try await stage.node("b", "--slots", "1", "--drain-timeout", "0.5s", "--metrics")
      let run = try stage.engage(
        peers: [b.port], "--no-local", "--scan-seconds", "3600", "--total", "1",
        "--failing-every", "0")
      let metrics = try await b.process.line("metrics: http://")
      let port = try #require(metrics.firstMatch(of: /:(\d+)\//).flatMap { Int($0.1) })
      while try await HTTPAnswer.get("/metrics", port: port).samples["skynet_slots_busy"] != 1 {}
      try await run.process.line("connected b")
      b.process.send(SIGTERM)
      try await b.process.line("info: stopping (")
      #expect(b.process.account.contains("timeout 0.5 s"))
      #expect(try await b.process.end().status == 0)
    }
  }
}
