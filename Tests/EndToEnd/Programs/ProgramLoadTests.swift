import Foundation
import Testing

extension Endurance {
  /// Many short programs leave nothing behind. The short form starts a thousand.
  @Suite("Many programs", .timeLimit(.ample))
  struct ProgramLoadTests {
    private static let count = isThorough ? 10_000 : 1000
    /// More than the allocator keeps, and far less than a kilobyte for each program would be.
    private static let growth = (isThorough ? 8 : 16) << 10

    @Test("Memory stays as it is, no descriptor stays open, and there is no zombie")
    func many() async throws {
      try await Stage.with { bare in
        let stage = ProgramStage(stage: bare)
        try stage.write("", to: "temporary/.here")
        let a = try await stage.node(
          "a", "--slots", "2", environment: ["TMPDIR": stage.file("temporary")])
        let first = try await run(Self.count / 5, on: a, stage)
        let (memory, descriptors) = try figures(of: a)
        let second = try await run(Self.count, on: a, stage)
        let (memoryAfter, descriptorsAfter) = try figures(of: a)
        Endurance.report(
          "\(Self.count) programs",
          [
            "node: \(Memory.text(memory)), then \(Memory.text(memoryAfter))",
            "engagement: at most \(Memory.text(first)), then \(Memory.text(second))",
            "descriptors of the node: \(descriptors), then \(descriptorsAfter)",
          ])
        if !Memory.isInstrumented {
          #expect(memoryAfter < memory + Self.growth)
          #expect(second < first + Self.growth)
        }
        #expect(descriptorsAfter <= descriptors)
        #expect(MarkedProcesses.zombies(below: a.process.id).isEmpty)
        // What stays is what the node keeps for its next programs.
        let folders = try FileManager.default.subpathsOfDirectory(atPath: stage.file("temporary"))
        #expect(folders.count < 10, "\(folders)")
        try await stage.marked.idle()
      }
    }

    /// Runs so many programs, and returns the most memory of the engagement, in KiB.
    private func run(_ count: Int, on node: RunningNode, _ stage: ProgramStage) async throws -> Int
    {
      let run = try stage.engage(
        [node], "--total", "\(count)", "--journal", stage.file("run-\(count).sqlite"), "--",
        "printf", "%s", "{}")
      let peak = try await Endurance.peakMemory(of: run.process)
      try await run.outcome().expectEverySectorOnce(of: count)
      return peak
    }

    private func figures(of node: RunningNode) throws -> (memory: Int, descriptors: Int) {
      (
        try #require(Memory.ownPages(of: node.process.id)),
        MarkedProcesses.descriptors(below: node.process.id)
      )
    }
  }
}
