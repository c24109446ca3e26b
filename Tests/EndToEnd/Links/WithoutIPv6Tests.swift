import Foundation
import Testing

/// A node on a machine whose links have no IPv6, as in many containers, or no address at all yet.
@Suite(
  "Links without IPv6", .timeLimit(.ample),
  .enabled(Namespace.impossible) { await Namespace.isPossible })
struct WithoutIPv6Tests {
  @Test("A node listens on the address families that exist", arguments: [true, false])
  func aNodeListensOnExistingFamilies(hasLink: Bool) async throws {
    try await Stage.with { stage in
      let namespace = try await Namespace(stage, hasLink: hasLink)
      let a = try await RunningNode(
        namespace.launch("\(Paths.binary) node --name a --no-discovery"))
      if !hasLink { try await namespace.run("ip link set lo up") }
      let results = stage.file("results")
      let run = RunningEngagement(
        process: try namespace.launch(
          """
          \(Paths.binary) engage --no-discovery --peers 127.0.0.1:\(a.port) --no-local --total 4 \
          --scan-seconds 0 --failing-every 0 --results \(results)
          """),
        resultsFile: results)
      try await run.outcome().expectEverySectorOnce(of: 4)
    }
  }

  @Test("A node listens on an address that exists", arguments: ["127.0.0.1", "localhost", "'::'"])
  func anExistingAddressIsListenedOn(host: String) async throws {
    try await Stage.with { stage in
      let namespace = try await Namespace(stage, hasLink: true)
      _ = try await RunningNode(
        namespace.launch("\(Paths.binary) node --name a --no-discovery --host \(host)"))
    }
  }

  @Test(
    "An address that does not exist is refused with a message",
    arguments: [
      ("::1", "error: cannot listen on [::1]:0: this machine has no such address"),
      ("192.0.2.1", "error: cannot listen on 192.0.2.1:0: this machine has no such address"),
      ("no-such-host.invalid", "error: cannot listen on no-such-host.invalid:0: "),
    ])
  func aMissingAddressIsRefused(host: String, complaint: String) async throws {
    try await Stage.with { stage in
      let namespace = try await Namespace(stage, hasLink: true)
      let story = try await namespace.launch(
        "\(Paths.binary) node --name a --no-discovery --host \(host)"
      ).end()
      #expect(story.status == 2 && story.errors.count == 1)
      let line = story.errors.first ?? ""
      #expect(line.hasPrefix(complaint), "\(line)")
      #expect(!line.contains(/error -?\d/), "\(line)")
    }
  }
}
