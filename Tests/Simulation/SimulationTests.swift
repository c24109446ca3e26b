import Foundation
import SkyNetCore
import Testing

/// Runs all decisions together, in a world of crashes, cuts, losses, drains, hangs and late
/// answers.
///
/// A failure names its seed: `SKYNET_SEED=<seed> swift test --filter Simulation` runs it alone, and
/// `SKYNET_SEEDS=<count>` runs that many instead of two thousand.
@Suite("Simulation")
struct SimulationTests {
  /// The number of parts that the seeds are divided into, which run at the same time.
  static let parts = 4

  @Test("Every sector ends exactly once under any faults", arguments: 0..<parts)
  func everySectorEndsOnce(part: Int) {
    for seed in Seeds.chosen(and: Seeds.storms) where seed % UInt64(Self.parts) == UInt64(part) {
      var world = World(seed: seed)
      // One failing seed is enough to look into.
      if world.fails(seed: seed) { return }
    }
  }

  @Test("A broken rule is noticed", arguments: Sabotage.allCases)
  func noticesBrokenRules(sabotage: Sabotage) {
    for seed in UInt64(0)..<2000 {
      var world = World(seed: seed, sabotage, plan: sabotage.plan)
      guard let violation = world.run().first else { continue }
      var whole = World(seed: seed, plan: sabotage.plan)
      if whole.run().isEmpty {
        print("\(sabotage) is noticed at seed \(seed): \(violation)")
        return
      }
    }
    Issue.record("\(sabotage) was not noticed within 2000 seeds")
  }
}

enum Seeds {
  static var chosen: [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SKYNET_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(0..<(environment["SKYNET_SEEDS"].flatMap(UInt64.init) ?? 2000))
  }

  /// Seeds of storms beyond those that are always run, each of which has found a fault: a task began
  /// after three deaths when the other systems that had seemed dead had come back (12652); a place
  /// that had once died idle, of another coordinator's task, excused a poison task for ever (14085,
  /// 55839); an engagement that had lost its only system before it heard of it reported that there
  /// had been none (23248); tasks were abandoned at the end of the wait for a system, which had come
  /// a moment before (60839); and a growing job that was resumed began new sectors before it went on
  /// with those in progress (88475).
  static let storms: [UInt64] = [12652, 14085, 55839, 23248, 60839, 88475]

  /// The seeds, and these too unless one seed was chosen.
  static func chosen(and found: [UInt64], _ seeds: [UInt64] = chosen) -> [UInt64] {
    guard ProcessInfo.processInfo.environment["SKYNET_SEED"] == nil else { return seeds }
    return seeds + found.filter { !seeds.contains($0) }
  }

  /// A tenth of the seeds, for worlds with one particular trouble that differ much from each other.
  static var some: [UInt64] { Array(chosen.prefix(max(chosen.count / 10, 1))) }

  /// A fortieth of the seeds, for worlds with one particular trouble.
  static var few: [UInt64] { Array(chosen.prefix(max(chosen.count / 40, 1))) }
}

extension World {
  /// Runs to the end, and records all violations as one issue. Returns whether there were any.
  mutating func fails(
    seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
    _ judge: (World) -> [String] = { _ in [] }
  ) -> Bool {
    let violations = run() + judge(self)
    guard !violations.isEmpty else { return false }
    Issue.record(
      """
      SKYNET_SEED=\(seed): \(violations.joined(separator: "; "))
      at \(now.sinceOrigin.inSeconds) s, after \(steps) steps, with \(plan)
      \(trace.lines.joined(separator: "\n"))
      """, sourceLocation: sourceLocation)
    return true
  }
}
