import Foundation
import Testing

/// Machines whose links have no IPv6, as in many containers, or no address yet at all.
@Suite(.timeLimit(.minutes(2)), .enabled(Namespace.impossible) { await Namespace.isPossible })
struct WithoutIPv6Tests {
  @Test(arguments: [true, false])
  func aNodeListensOnWhatThereIs(hasLink: Bool) async throws {
    try await Stage.with { stage in
      let namespace = try await Namespace(stage, hasLink: hasLink)
      let a = try await RunningNode(
        namespace.launch("\(Place.binary) node --name a --no-discovery"))
      if !hasLink { try await namespace.run("ip link set lo up") }
      let results = stage.file("results")
      let run = Engaging(
        process: try namespace.launch(
          """
          \(Place.binary) engage --no-discovery --peers 127.0.0.1:\(a.port) --no-local --total 4 \
          --scan-seconds 0 --failing-every 0 --results \(results)
          """),
        resultsFile: results)
      try await run.outcome().expectEverySectorOnce(of: 4)
    }
  }

  @Test(arguments: ["127.0.0.1", "localhost", "'::'"])
  func anAddressThatIsThereIsListenedOn(host: String) async throws {
    try await Stage.with { stage in
      let namespace = try await Namespace(stage, hasLink: true)
      _ = try await RunningNode(
        namespace.launch("\(Place.binary) node --name a --no-discovery --host \(host)"))
    }
  }

  @Test(arguments: [
    ("::1", "error: cannot listen on [::1]:0: this machine has no such address"),
    ("192.0.2.1", "error: cannot listen on 192.0.2.1:0: this machine has no such address"),
    ("no-such-host.invalid", "error: cannot listen on no-such-host.invalid:0: "),
  ])
  func anAddressThatIsNotThereIsRefusedInWords(host: String, complaint: String) async throws {
    try await Stage.with { stage in
      let namespace = try await Namespace(stage, hasLink: true)
      let story = try await namespace.launch(
        "\(Place.binary) node --name a --no-discovery --host \(host)"
      ).end()
      #expect(story.status == 2 && story.errors.count == 1)
      let line = story.errors.first ?? ""
      #expect(line.hasPrefix(complaint), "\(line)")
      #expect(!line.contains(/error -?\d/), "\(line)")
    }
  }
}

/// A network namespace with no interface but loopback, and that without IPv6. It ends with the
/// stage, whose processes hold it.
struct Namespace {
  static let impossible: Comment = "needs root, unshare and nsenter"

  static var isPossible: Bool {
    get async {
      guard geteuid() == 0 else { return false }
      return
        (try? await Stage.with { stage in
          _ = try await Namespace(stage, hasLink: true)
        }) != nil
    }
  }

  private let stage: Stage
  private let holder: Running

  init(_ stage: Stage, hasLink: Bool) async throws {
    self.stage = stage
    let setUp =
      "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; \(hasLink ? "ip link set lo up;" : "") "
      + "test ! -s /proc/net/if_inet6 && echo made >&2; exec sleep 600"
    holder = try stage.launch("/bin/sh", ["-c", "exec unshare -n sh -c '\(setUp)'"])
    try await holder.line("made")
  }

  /// Starts a line of shell in it.
  func launch(_ line: String) throws -> Running {
    try stage.launch(
      "/bin/sh", ["-c", "exec nsenter --net=/proc/\(holder.id)/ns/net \(line)"])
  }

  func run(_ line: String) async throws {
    let story = try await launch(line).end()
    guard story.status == 0 else { throw Unexpected("\(line): \(story.errors)") }
  }
}
