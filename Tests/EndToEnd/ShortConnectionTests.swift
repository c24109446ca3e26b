import Foundation
import Testing

/// A network that resets every connection before a scan can end.
@Suite("Connections that live shorter than scans", .timeLimit(.minutes(20)))
struct ShortConnectionTests {
  @Test("every sector is scanned")
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
      // Without scans that outlive their connections there would be no end. An answer that is under
      // way when its connection is reset is lost, and its sector scanned again: how many are depends
      // on the machine.
      node.process.send(SIGTERM)
      var log = ScanLog()
      log.add(try await node.process.end().errors)
      #expect(log.scans.count == count)
    }
  }
}
