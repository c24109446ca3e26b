import Foundation
import Testing

/// A wire that resets every connection before a scan can end.
@Suite("Connections shorter than scans", .timeLimit(.ample))
struct ShortConnectionTests {
  @Test("Every sector is scanned though each connection is shorter than a scan")
  func everyScanIsUsed() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("a", "--slots", "4", "--log-level", "debug")
      let wire = try await FaultyWire.open(to: "127.0.0.1", port: node.port)
      defer { wire.stop() }
      wire.become(.shortLived(.seconds(1)))
      let count = Endurance.isThorough ? 60 : 12
      let run = try stage.engage(
        peers: [wire.port], "--no-local", "--total", "\(count)", "--scan-seconds", "2",
        "--failing-every", "0")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: count)
      #expect(outcome.errors.contains { $0.hasPrefix("disconnected a") })
      // The run ends only because scans outlive their connections. An answer that is on its way
      // when its connection is reset is lost, and its sector is scanned again; how many are depends
      // on the machine.
      node.process.send(SIGTERM)
      var log = ScanLog()
      log.add(try await node.process.end().errors)
      #expect(log.scans.count == count)
    }
  }
}
