import Logging
import SkyNetCluster
import SkyNetCore

/// Waits until nothing runs on drained systems any more.
struct DrainWatch: Sendable {
  /// How often it asks what still runs.
  private static let interval = Duration.milliseconds(200)
  /// How long a system may take to answer.
  private static let patience = Duration.seconds(1)

  let cluster: Cluster
  let departures: Departures
  /// How long to wait at most, in seconds; `nil` for no limit.
  let timeout: Double?

  /// Prints a line for each system as its wait ends. Returns whether nothing runs on any of them; `false` also if
  /// the time is over.
  func waitUntilIdle(_ systems: [RemoteSystem]) async throws -> Bool {
    let clock = SteadyClock()
    let deadline = timeout.map { clock.now + .seconds($0) }
    let earlier = Set(await cluster.connectedSystems.map(\.incarnation))
    var waits = systems.map { (system: $0, wait: DrainWait()) }
    var areIdle = true
    while true {
      let statuses = await cluster.statuses(of: waits.map(\.system), within: Self.patience)
      let connected = await cluster.connectedSystems
      for index in waits.indices.reversed() {
        let system = waits[index].system
        let wasLost = waits[index].wait.isLost
        let sight = sight(
          of: system, statuses[system.incarnation], among: connected, notThereBefore: earlier)
        guard let end = waits[index].wait.saw(sight) else {
          if waits[index].wait.isLost, !wasLost { tellLoss(of: system) }
          continue
        }
        waits.remove(at: index)
        try tell(end, of: system)
        if !end.isSuccess { areIdle = false }
      }
      if waits.isEmpty { return areIdle }
      if let deadline, clock.now >= deadline {
        waits.forEach(tellTimeout)
        return false
      }
      try await Task.sleep(for: Self.interval)
    }
  }

  private func sight(
    of system: RemoteSystem, _ status: SystemStatus?, among connected: [RemoteSystem],
    notThereBefore earlier: Set<Incarnation>
  ) -> DrainWait.Sight {
    let id = system.incarnation
    if connected.contains(where: { $0.incarnation == id }) {
      return status.map { .answers(isDraining: $0.isDraining, running: $0.runningCount) } ?? .silent
    }
    switch departures[id] {
    case Goodbye.stopped.message: return .stopped
    case Goodbye.takesScansAgain.message: return .undrained
    default: break
    }
    let isReplaced = connected.contains {
      $0.place == system.place && !earlier.contains($0.incarnation)
    }
    return isReplaced ? .replaced : .lost
  }

  // MARK: Lines

  private func tell(_ end: DrainWait.End, of system: RemoteSystem) throws {
    let line = end.line(system.name)
    if end.isSuccess {
      try StandardOutput.write(line: line)
    } else {
      Console.standardError.line(line, level: .error)
    }
  }

  private func tellLoss(of system: RemoteSystem) {
    let reason = departures[system.incarnation] ?? "the connection has ended"
    Console.standardError.line(
      "lost \(system.name): \(reason); its scans may still run, so it is looked for")
    Console.standardError.flush()
  }

  private func tellTimeout(of system: RemoteSystem, _ wait: DrainWait) {
    let name = system.name
    Console.standardError.line(
      wait.isLost
        ? "\(name) was lost and not found again: scans may still run there"
        : "scans still run on \(name)", level: .error)
  }
}
