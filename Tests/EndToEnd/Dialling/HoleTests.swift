import Foundation
import Testing

/// What is being connected holds up no end: each command has a peer that never answers. A command that waited for it
/// would take ten minutes, or two where the kernel gives up, or five seconds where that is its limit.
@Suite("Ends while an address does not answer", .timeLimit(.ample))
struct HoleTests {
  private static let longer = ["--timeout", "600"]
  private static let soon = Duration.seconds(60)

  private static func with(_ test: (Stage, Hole) async throws -> Void) async throws {
    try await Stage.with { stage in
      let hole = try Hole()
      defer { hole.fill() }
      try await test(stage, hole)
    }
  }

  @Test("An engagement ends when its sectors are done")
  func engagementIsDone() async throws {
    try await Self.with { stage, hole in
      let run = try stage.engage(
        peers: [hole.port], ["--total", "20", "--scan-seconds", "0.01"] + Self.longer)
      _ = try await run.process.end(within: Self.soon)
      try await run.outcome().expectEverySectorOnce(of: 20)
    }
  }

  @Test("An engagement and a watch end at a signal", arguments: ["engage", "watch"])
  func signal(command: String) async throws {
    try await Self.with { stage, hole in
      let work = command == "engage" ? ["--total", "100000"] : []
      let process = try stage.skynet(
        [command, "--no-discovery", "--peers", hole.address] + work + Self.longer)
      try await hole.waitForVisitor()
      process.send(SIGINT)
      #expect(try await process.end(within: Self.soon).status == 130)
    }
  }

  @Test("A node that dials stops in order")
  func node() async throws {
    try await Self.with { stage, hole in
      let node = try stage.skynet(
        ["node", "--no-discovery", "--no-listen", "--join", hole.address] + Self.longer)
      try await hole.waitForVisitor()
      node.send(SIGTERM)
      #expect(try await node.end(within: Self.soon).status == 0)
    }
  }

  @Test("Systems are shown, and a node is drained, without waiting for another address")
  func otherCommands() async throws {
    try await Self.with { stage, hole in
      let node = try await stage.node("a")
      let peers = "127.0.0.1:\(node.port),\(hole.address)"
      for command in [["systems", "--wait", "0.1"], ["drain", "a"], ["undrain", "a"]] {
        // A machine that is busy may be slow once.
        var shortest = Duration.seconds(60)
        for _ in 1...3 where shortest > .seconds(4) {
          let began = ContinuousClock.now
          let story = try await stage.skynet(command + ["--no-discovery", "--peers", peers]).end()
          #expect(story.status == 0)
          shortest = min(shortest, ContinuousClock.now - began)
        }
        #expect(shortest < .seconds(4), "\(command)")
      }
    }
  }
}
