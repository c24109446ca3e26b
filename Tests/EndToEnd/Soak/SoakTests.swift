import Foundation
import Testing

extension Endurance {
  /// Two million tasks of no length run while one of two nodes is killed every ten seconds: no
  /// process's memory may grow with the number of tasks. The test needs a release build, which
  /// `Tests/run soak` makes; in a debug build it would take most of an hour.
  @Suite(
    "Soak", .timeLimit(.ample),
    .enabled(
      if: isThorough && ProcessInfo.processInfo.environment["SKYNET_BINARY"] != nil,
      "SKYNET_THOROUGH=1, and a release build named by SKYNET_BINARY: run Tests/run soak"))
  struct SoakTests {
    private static let interval = Duration.seconds(10)

    @Test("Memory does not grow with the number of tasks")
    func memoryDoesNotGrowWithTasks() async throws {
      let total = try Endurance.number("SKYNET_SOAK_TASKS") ?? 2_000_000
      try await Stage.with { stage in
        let steady = try await RestartableNode.onLoopback("steady", stage, "--log-level", "warning")
        let killed = try await RestartableNode.onLoopback("killed", stage, "--log-level", "warning")
        let results = stage.file("results")
        let errors = stage.file("errors")
        // The two million lines go to a file, since they would fill this process's memory.
        let ports = [await steady.current.port, await killed.current.port]
        let run = try stage.launch(
          "/bin/sh",
          [
            "-c", #"errors=$1; shift; exec "$@" 2>"$errors""#, "sh", errors, Paths.binary,
            "engage", "--no-discovery", "--no-local", "--peers",
            ports.map { "127.0.0.1:\($0)" }.joined(separator: ","), "--total", "\(total)",
            "--scan-seconds", "0", "--failing-every", "0", "--attempts", "100", "--results",
            results,
          ])
        var (coordinator, node) = (MemoryCurve(), MemoryCurve())
        let steadyID = await steady.current.process.id
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await restart(killed, until: run) }
          try await Endurance.watch(run) {
            let written = size(of: results)
            coordinator.add(Memory.now(of: run.id), after: written)
            node.add(Memory.now(of: steadyID), after: written)
          }
          group.cancelAll()
        }
        try await expectAll(total, run, results: results, errors: errors)
        Endurance.report(
          "soak: \(total) tasks, one of two nodes killed \(await killed.restarts) times",
          [
            "coordinator: \(coordinator.text)", "node: \(node.text)",
            String(decoding: try tail(of: errors), as: UTF8.self),
          ])
        #expect(coordinator.isFlat && node.isFlat)
      }
    }

    /// Kills the node and starts it again, until cancelled.
    private func restart(_ node: RestartableNode, until run: RunningProcess) async throws {
      while run.soFar.status == nil {
        do { try await Endurance.pass(Self.interval) } catch { return }
        try await node.end(by: SIGKILL)
        try await node.startAgain()
      }
    }

    private func expectAll(
      _ total: Int, _ run: RunningProcess, results: String, errors: String
    ) async throws {
      #expect(try await run.end().status == 0)
      var sectors = SectorBytes(file: results)
      while sectors.readOn() {}
      #expect(sectors.count == total)
      #expect(sectors.distinct == total, "each sector has to be there once")
      let summary = try Summary(String(decoding: try tail(of: errors), as: UTF8.self))
      #expect(summary.completed == total && summary.failed == 0)
    }

    /// The size of the results file, which shows the run's progress, since lines are about equally
    /// long.
    private func size(of file: String) -> Int {
      (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
    }

    /// The last line of a file.
    private func tail(of file: String) throws -> Data {
      let text = try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
      return text.suffix(4096).split(separator: UInt8(ascii: "\n")).last ?? Data()
    }
  }
}
