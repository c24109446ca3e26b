import Foundation
import Testing

/// A process with a full table of descriptors waits without spinning.
@Suite(
  "A full table of descriptors", .timeLimit(.ample),
  .enabled(if: FewDescriptors.arePossible, FewDescriptors.impossible))
struct FullTableTests {
  /// More connections than the node may have open files.
  private static let connections = 150

  /// A node that may have a hundred files open.
  private func node(on stage: Stage, _ options: String...) async throws -> RunningNode {
    try await RunningNode(
      stage.launch(
        FewDescriptors.program,
        [
          "--nofile=100", Paths.binary, "node", "--name", "a", "--host", "127.0.0.1",
          "--no-discovery", "--timeout", "100",
        ] + options))
  }

  @Test(
    "A node takes half as many connections of members as it may have open files, and serves others then"
  )
  func members() async throws {
    try await Stage.with { stage in
      let a = try await node(on: stage, "--insecure")
      let held = try HeldConnections(Self.connections, to: a.port)
      try await a.process.line("too much under way: connections (51, at most 50 allowed)")
      held.close()
      let run = try stage.engage(
        peers: [a.port], "--insecure", "--no-local", "--total", "4", "--scan-seconds", "0",
        "--failing-every", "0", "--timeout", "100", "--wait-for", "1", "--wait-timeout", "5m")
      try await run.outcome().expectEverySectorOnce(of: 4)
      #expect(!a.process.soFar.errors.contains { $0.contains("too many open files") })
    }
  }

  @Test("A node without free descriptors waits, and serves again when it has some")
  func aNodeWithoutDescriptorsWaitsAndServesWhenItHasSome() async throws {
    try await Stage.with { stage in
      let a = try await node(on: stage)
      let held = try HeldConnections(Self.connections, to: a.port)
      let complaint = "no connection can be taken: too many open files"
      try await a.process.line(complaint)

      // A process that spins takes all processor time that it can get.
      let before = try #require(ProcessorTime.seconds(of: a.process.id))
      try await Endurance.pass(.seconds(4))
      let after = try #require(ProcessorTime.seconds(of: a.process.id))
      #expect(after - before < 0.4)
      #expect(a.process.soFar.errors.count { $0.contains(complaint) } == 1)

      held.close()
      let run = try stage.engage(
        peers: [a.port], "--no-local", "--total", "4", "--scan-seconds", "0",
        "--failing-every", "0", "--timeout", "100", "--wait-for", "1", "--wait-timeout", "5m")
      try await run.outcome().expectEverySectorOnce(of: 4)
    }
  }
}

/// Starts a process with few descriptors.
enum FewDescriptors {
  static let impossible: Comment = "needs prlimit and /proc"
  static let program = "/usr/bin/prlimit"

  static var arePossible: Bool {
    FileManager.default.isExecutableFile(atPath: program)
      && ProcessorTime.seconds(of: getpid()) != nil
  }
}

/// Connections on which the client sends nothing. With a key they count as none of a member's, of which a node takes
/// fewer than it has descriptors.
struct HeldConnections {
  private let sockets: [Int32]

  init(_ count: Int, to port: Int) throws {
    sockets = try (0..<count).map { _ in
      let socket = try makeSocket()
      try withAddress(port: port) {
        guard connect(socket, $0, $1) == 0 else { throw systemError("connect") }
      }
      return socket
    }
  }

  func close() {
    for socket in sockets { Foundation.close(socket) }
  }
}
