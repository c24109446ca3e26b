import Foundation
import Testing

/// A link that carries small packets and loses large ones without a word, as one does whose MTU is too small where
/// ICMP is dropped. Connections are made there, and nothing longer than a hello arrives.
@Suite("Links that lose large packets", .serialized, .timeLimit(.ample))
struct LargePacketTests {
  @Test(
    "The run says after the third connection what may be wrong",
    .enabled(Lab.unfiltered) { await Lab.filtersPackets },
    arguments: ["h1", "h2"])
  func aHint(losing host: String) async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        let image = stage.file("sky.fits")
        let made = try stage.skynet("make-sky", image, "--size", "1024", "--stars", "2000")
        #expect(try await made.end().status == 0)
        _ = try await RunningNode(lab.launch(Paths.binary, ["node"], on: "h2", stage))
        let rule = try await lab.launch(
          "iptables",
          ["-A", "INPUT", "-p", "tcp", "-m", "length", "--length", "1200:65535", "-j", "DROP"],
          on: host, stage
        ).end()
        try #require(rule.status == 0, "\(rule)")
        // Pixels are long on their way there, and tables of sources on their way back.
        let run = try lab.launch(
          Paths.binary,
          [
            "engage", "--timeout", "1", "--no-local", "--image", image, "--catalog",
            stage.file("sources.csv"),
          ], on: "h1", stage)
        try await run.line("`ping -M do -s 1400 HOST`")
        let ends = run.soFar.errors.filter { $0.hasPrefix("disconnected h2: ") }
        #expect((2...4).contains(ends.count), "\(run.account)")
        run.send(SIGINT)
        run.send(SIGINT)
        _ = try await run.end()
      }
    }
  }
}
