import Testing

/// What a node keeps when it has nothing to do.
@Suite("Idle memory", .timeLimit(.ample))
struct IdleMemoryTests {
  /// Without giving it back a node keeps 40 to 70 MiB more after this run.
  @Test(
    "A node that has nothing to scan gives the memory of its scans back",
    .enabled(if: !Memory.isInstrumented, "a sanitizer has its own allocator"))
  func memoryGoesBack() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("a", "--slots", "4")
      let id = node.process.id
      let before = try #require(Memory.ownPages(of: id))
      let run = try stage.engage(
        peers: [node.port], "--total", "40", "--scan-seconds", "0.05", "--sector-bytes", "8000000",
        "--failing-every", "0", "--no-local")
      #expect(try await run.outcome().status == 0)
      while let now = Memory.ownPages(of: id), now > before + 16 * 1024 {
        try await Endurance.pass(.milliseconds(100))
      }
      #expect(node.process.isRunning)
      #expect(try await stage.engage(peers: [node.port], "--total", "4").outcome().status == 0)
    }
  }
}
