import Foundation
import SkyNetCore

/// One engagement in many runs, each but the last of which is killed.
struct Crashes {
  /// What is left when it has ended.
  struct End {
    let outcome: Outcome
    /// What each run wrote to standard error.
    let errors: [[String]]
    let peakMemory: Int

    /// Runs that began with results of earlier ones.
    var resumes: Int {
      errors.count { $0.contains { line in line.contains(" sectors are done in ") } }
    }
  }

  private static let scanSeconds = 0.5
  /// How often a node is killed.
  private static let nodeInterval = Duration.seconds(3)

  let stage: Stage
  let total: Int
  let stations: [Station]

  /// Kills the coordinator so often at moments all over the run, and lets it end.
  func run(kills: Int, _ random: inout SplitMix64) async throws -> End {
    // A run of this length would be over in `ideal` seconds. The last kills have to hit it too, also
    // where this process is woken late.
    let slots = Double(stations.count * 4 + 4)
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
      // That it ended by itself is bad luck, and seen by the count of kills.
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

  /// Starts it, or starts it again: the command is the same. Returns when it is at work.
  private func engage() async throws -> Engaging {
    var peers: [String] = []
    for station in stations { peers.append("127.0.0.1:\(await station.node.port)") }
    let process = try stage.skynet(
      "engage", "--no-discovery", "--peers", peers.joined(separator: ","), "--slots", "4",
      "--total", "\(total)", "--scan-seconds", "\(Self.scanSeconds)", "--attempts", "100",
      "--timeout", "1", "--journal", stage.file("run.sqlite"), "--results", resultsFile)
    // One that has nothing left to do connects to nobody.
    try await process.lines(1) { $0.hasPrefix("connected ") || $0.contains(" sectors in ") }
    return Engaging(process: process, resultsFile: resultsFile)
  }

  /// Kills one of the nodes after another, and starts it again, until cancelled.
  private func killNodes(_ random: SplitMix64) async throws {
    var random = random
    while true {
      try await Endurance.pass(Self.nodeInterval)
      let station = random.pick(stations)
      try await station.end(by: SIGKILL)
      try await station.startAgain()
    }
  }
}
