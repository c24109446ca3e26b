import Foundation
import Testing

extension Endurance {
  /// Two million tasks that take no time, while one of two nodes is killed every ten seconds:
  /// nobody's memory is to grow with the number of tasks. Needs a release build, which
  /// `Tests/run soak` makes; in a debug build it would take most of an hour.
  @Suite(
    .serialized, .timeLimit(.minutes(30)),
    .enabled(
      if: isThorough && ProcessInfo.processInfo.environment["SKYNET_BINARY"] != nil,
      "SKYNET_THOROUGH=1, and a release build named by SKYNET_BINARY: run Tests/run soak"))
  struct SoakTests {
    private static let interval = Duration.seconds(10)

    @Test func memoryDoesNotGrowWithTasks() async throws {
      let total = try Endurance.number("SKYNET_SOAK_TASKS") ?? 2_000_000
      try await Stage.with { stage in
        let steady = try await Station.onLoopback("steady", stage, "--log-level", "warning")
        let killed = try await Station.onLoopback("killed", stage, "--log-level", "warning")
        let results = stage.file("results")
        let errors = stage.file("errors")
        // Its two million lines go to a file, as they would fill this process.
        let ports = [await steady.node.port, await killed.node.port]
        let run = try stage.launch(
          "/bin/sh",
          [
            "-c", #"errors=$1; shift; exec "$@" 2>"$errors""#, "sh", errors, Place.binary,
            "engage", "--no-discovery", "--no-local", "--peers",
            ports.map { "127.0.0.1:\($0)" }.joined(separator: ","), "--total", "\(total)",
            "--scan-seconds", "0", "--failing-every", "0", "--attempts", "100", "--results",
            results,
          ])
        var (coordinator, node) = (MemoryCurve(), MemoryCurve())
        let steadyID = await steady.node.process.id
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

    /// Kills a node and starts it again, until cancelled.
    private func restart(_ station: Station, until run: Running) async throws {
      while run.soFar.status == nil {
        do { try await Endurance.pass(Self.interval) } catch { return }
        try await station.end(by: SIGKILL)
        try await station.startAgain()
      }
    }

    private func expectAll(
      _ total: Int, _ run: Running, results: String, errors: String
    ) async throws {
      #expect(try await run.end().status == 0)
      var sectors = SectorBytes(file: results)
      while sectors.readOn() {}
      #expect(sectors.count == total)
      #expect(sectors.distinct == total, "each sector has to be there once")
      let summary = try Summary(String(decoding: try tail(of: errors), as: UTF8.self))
      #expect(summary.completed == total && summary.failed == 0)
    }

    /// How far the run is: its lines are about equally long.
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
