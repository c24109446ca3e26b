import Foundation
import Testing

/// Links with round trips of seconds.
@Suite("Slow links", .timeLimit(.ample))
struct SlowLinkTests {
  /// With two round trips, the handshake takes ten seconds, and so does the wait for the last
  /// hello.
  private static let oneWay = Duration.milliseconds(2500)

  @Test("A long timeout connects over a link with a round trip of five seconds")
  func aLongTimeoutConnectsOverALinkOfFiveSecondsRoundTrip() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--timeout", "60")
      let wire = try await FaultyWire.open(to: "127.0.0.1", port: a.port)
      defer { wire.stop() }
      wire.become(.slow(Self.oneWay))
      let run = try stage.engage(
        peers: [wire.port], "--timeout", "60", "--no-local", "--total", "4", "--scan-seconds",
        "0", "--failing-every", "0")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 4)
      #expect(outcome.errors.count { $0.hasPrefix("connected ") } == 1)
    }
  }

  @Test("A timeout that is too short is reported with its length", arguments: [true, false])
  func aTimeoutThatIsTooShortSaysHowLongItWaited(isEncrypted: Bool) async throws {
    try await Stage.with { stage in
      let options = isEncrypted ? [] : ["--insecure"]
      let a = try await RunningNode(
        stage.skynet(
          ["node", "--name", "a", "--host", "127.0.0.1", "--no-discovery"] + options))
      let wire = try await FaultyWire.open(to: "127.0.0.1", port: a.port)
      defer { wire.stop() }
      wire.become(.slow(.seconds(6)))
      let run = try stage.engage(
        peers: [wire.port], ["--total", "100000", "--scan-seconds", "1"] + options)
      for side in [run.process, a.process] {
        let line = try await side.line("within 5.0 s")
        #expect(line.contains("give both sides a longer --timeout"), "\(line)")
      }
      run.process.send(SIGKILL)
    }
  }
}
