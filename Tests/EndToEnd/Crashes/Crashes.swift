import Foundation
import SkyNetCore

/// One engagement in many runs. All but the last are killed.
struct Crashes {
  /// The end of the last run, and the output of all.
  struct End {
    let outcome: Outcome
    /// Each run's standard error.
    let errors: [[String]]
    let peakMemory: Int

    /// How many runs began with results of earlier ones.
    var resumes: Int {
      errors.count { $0.contains { line in line.contains(" sectors are done in ") } }
    }
  }

  private static let scanSeconds = 0.5
  /// How often a node is killed.
  private static let nodeInterval = Duration.seconds(3)

  let stage: Stage
  let total: Int
  let nodes: [RestartableNode]

  /// Kills the coordinator this many times, spread over the run, and then lets it end.
  func run(kills: Int, _ random: inout SplitMix64) async throws -> End {
    // Undisturbed, the run would take `ideal` seconds. The last kills must come before its end,
    // even if this process wakes late.
    let slots = Double(nodes.count * 4 + 4)
    let ideal = Double(total) / slots * Self.scanSeconds
    let moments = (0..<kills).map { _ in
      random.seconds(0.3...max(0.6, 1.3 * ideal / Double(kills + 1)))
    }
    let nodeRandom = SplitMix64(seed: random.next())
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await killNodes(nodeRandom) }
      defer { group.cancelAll() }
      return try await killCoordinators(moments)
    }
  }

  private func killCoordinators(_ moments: [Duration]) async throws -> End {
    var errors: [[String]] = []
    var peak = 0
    for moment in moments {
      let run = try await engage()
      try await Endurance.pass(moment)
      peak = max(peak, Memory.peak(of: run.process.id) ?? 0)
      // The run has ended by itself, which the count of kills shows.
      guard run.process.soFar.status == nil else { break }
      run.process.send(SIGKILL)
      errors.append(try await run.process.end().errors)
    }
    let run = try await engage()
    try await Endurance.watch(run.process) {
      peak = max(peak, Memory.peak(of: run.process.id) ?? 0)
    }
    let outcome = try await run.outcome()
    errors.append(outcome.errors)
    return End(outcome: outcome, errors: errors, peakMemory: peak)
  }

  private var resultsFile: String { stage.file("results") }

  /// Starts or resumes the engagement, with the same command. Returns when it has a connection or
  /// is done.
  private func engage() async throws -> RunningEngagement {
    var peers: [String] = []
    for node in nodes { peers.append("127.0.0.1:\(await node.current.port)") }
    let process = try stage.skynet(
      "engage", "--no-discovery", "--peers", peers.joined(separator: ","), "--slots", "4",
      "--total", "\(total)", "--scan-seconds", "\(Self.scanSeconds)", "--attempts", "100",
      "--timeout", "1", "--journal", stage.file("run.sqlite"), "--results", resultsFile)
    // A run that has nothing left to do makes no connection.
    try await process.lines(1) { $0.hasPrefix("connected ") || $0.contains(" sectors in ") }
    return RunningEngagement(process: process, resultsFile: resultsFile)
  }

  /// Kills one node after another and starts it again, until cancelled.
  private func killNodes(_ random: SplitMix64) async throws {
    var random = random
    while true {
      try await Endurance.pass(Self.nodeInterval)
      let node = random.pick(nodes)
      try await node.end(by: SIGKILL)
      try await node.startAgain()
    }
  }
}
