import Foundation
import SkyNetCore
import SkyScan
import Testing

/// Processes of neighbouring versions of SkyNet work together.
@Suite("Neighbouring versions", .timeLimit(.ample))
struct VersionTests {
  private static let nodes = 10
  /// 80 seconds of scans: on a busy machine, and under a sanitizer, the restarts are slow.
  private static let sectors = 8_000

  @Test("Ten nodes are updated one after the other while an engagement runs, which loses nothing")
  func rollingRestart() async throws {
    try await Stage.with { stage in
      let other = try await OtherVersion(on: stage)
      var cluster: [RestartableNode] = []
      for number in 1...Self.nodes {
        cluster.append(try await node("n\(number)", on: stage, then: other))
      }
      var ports: [Int] = []
      for node in cluster { ports.append(await node.current.port) }
      let run = try stage.engage(
        peers: ports,
        ["--no-local", "--wait-for", "\(Self.nodes)", "--total", "\(Self.sectors)"]
          + ["--scan-seconds", "0.2", "--failing-every", "0"])
      for node in cluster {
        try await run.completions(by: node.name)
        #expect(try await node.end(by: SIGTERM) == 0)
        try await node.startAgain()
        try await run.process.lines(2) { $0 == "connected \(node.name)" }
      }
      #expect(run.process.soFar.status == nil, "the run outlasts the restarts")
      let overview = try await stage.skynet(
        ["systems", "--no-discovery", "--peers"]
          + [ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")]
      ).end().output
      #expect(overview.count { $0.contains(" \(other.name)") } == Self.nodes, "\(overview)")
      try await run.outcome().expectEverySectorOnce(of: Self.sectors)
    }
  }

  /// A node that runs the program under test at first, and the other version from its first restart on.
  private func node(
    _ name: String, on stage: Stage, then other: OtherVersion
  ) async throws -> RestartableNode {
    let arguments = [
      "node", "--name", name, "--host", "127.0.0.1", "--no-discovery", "--slots", "2",
    ]
    let first = try await RunningNode(stage.skynet(arguments))
    return RestartableNode(first) {
      try await RunningNode(
        stage.launch(other.binary, arguments + ["--port", "\(first.port)"]))
    }
  }

  /// The engaging side's line is tested beside catalogues, in `ScanVersionTests`.
  @Test("A node tells of a program whose version of a scan does not fit, with both versions")
  func aScanThatDoesNotFit() async throws {
    try await Stage.with { stage in
      // This process is the program, and may get no processor for seconds.
      let node = try await stage.node("a", "--timeout", "60")
      let later = ScanKind(name: SourceScan.kind.name, version: SourceScan.kind.version + 1)
      try await MisbehavingMember(of: stage).introduceItself(
        with: [later], software: "0.2.0", at: node.port)
      let line = try await node.process.line("versions differ")
      #expect(line.contains("\(later), this node \(SourceScan.kind)"), "\(line)")
      #expect(line.contains("SkyNet 0.2.0 there, 0.1.0 here"), "\(line)")
    }
  }
}
