import Foundation
import SkyNetCore
import Testing

/// Runs the decisions together, in a world of crashes, cuts, drains, hangs and late answers.
///
/// A failure names its seed: `SKYNET_SEED=<seed> swift test --filter Simulation` runs it alone, and
/// `SKYNET_SEEDS=<count>` runs that many instead of a thousand.
@Suite("Simulation")
struct SimulationTests {
  /// Parts of the seeds, so that they run at the same time.
  static let parts = 4

  @Test("Whatever fails, every sector ends exactly once", arguments: 0..<parts)
  func everySectorEndsOnce(part: Int) {
    for seed in Self.seeds where seed % UInt64(Self.parts) == UInt64(part) {
      var world = World(seed: seed)
      let violations = world.run()
      guard !violations.isEmpty else { continue }
      Issue.record(
        """
        SKYNET_SEED=\(seed): \(violations.joined(separator: "; "))
        at \(world.now.sinceOrigin.inSeconds) s, after \(world.steps) steps, with \(world.plan)
        \(world.trace.joined(separator: "\n"))
        """)
      // One is enough to look at.
      return
    }
  }

  @Test("The same seed makes the same world")
  func repeats() {
    for seed in UInt64(0)..<20 {
      var (a, b) = (World(seed: seed), World(seed: seed))
      _ = (a.run(), b.run())
      #expect(a.steps == b.steps)
      #expect(a.now == b.now)
      #expect(a.trace == b.trace)
    }
  }

  private static var seeds: [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SKYNET_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(0..<(environment["SKYNET_SEEDS"].flatMap(UInt64.init) ?? 1000))
  }
}
