import ArgumentParser
import Logging
import SkyNetCluster
import SkyNetCore

struct DrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drain", abstract: "Take systems out of work, while their nodes stay up.",
    discussion: """
      A drained node takes no new scans, hands back those that wait, which go elsewhere, and finishes those that \
      run. It says so wherever systems are shown, with the name of the user and machine that asked. `skynet \
      undrain` has it take scans again. A node that is started anew is not drained.

      For example: skynet drain lab3 --wait && ssh lab3 sudo reboot

      Exits with 0 if all the systems drain; with 1 if one could not be asked, or --wait-timeout is over; with 2 \
      if a name is that of no system or of several.
      """)

  /// How often the command asks what still runs.
  private static let interval = Duration.milliseconds(200)

  @OptionGroup var options: DrainOptions

  @Flag(help: "Return when nothing runs on the systems any more.")
  var wait = false

  @Option(
    parsing: .unconditional,
    help: TimeOption.help("With --wait, how long at most. (default: until nothing runs)"),
    transform: TimeOption.seconds)
  var waitTimeout: Double?

  func validate() throws {
    try Check.seconds("wait-timeout", waitTimeout)
    guard wait || waitTimeout == nil else {
      throw ValidationError("--wait-timeout is for --wait: give both or none")
    }
  }

  func run() async throws {
    let areDone = try await options.withSystems { cluster, systems in
      var drained: [RemoteSystem] = []
      for system in systems {
        do {
          let status = try await cluster.drain(system)
          try StandardOutput.write(line: Self.line(system, status))
          drained.append(system)
        } catch let error as DrainRefusal {
          Console.standardError.line("\(error)", level: .error)
        }
      }
      if wait, try await !waitUntilIdle(drained, cluster) { return false }
      return drained.count == systems.count
    }
    Console.standardError.flush()
    if !areDone { throw ExitCode.notDrained }
  }

  private static func line(_ system: RemoteSystem, _ status: SystemStatus) -> String {
    let count = status.runningCount
    return "drained \(system.name): "
      + (count == 0 ? "nothing runs there" : "\(count) scan\(count == 1 ? "" : "s") still run")
      + (count == 1 ? "s" : "")
  }

  /// Returns whether nothing runs on the systems any more; `false` if the time is over.
  private func waitUntilIdle(_ systems: [RemoteSystem], _ cluster: Cluster) async throws -> Bool {
    let clock = SteadyClock()
    let deadline = waitTimeout.map { clock.now + .seconds($0) }
    var busy = systems
    while !busy.isEmpty {
      let statuses = await cluster.statuses(of: busy, within: .seconds(1))
      let connected = Set(await cluster.connectedSystems.map(\.incarnation))
      for system in busy {
        let hasLeft = !connected.contains(system.incarnation)
        guard hasLeft || statuses[system.incarnation]?.runningCount == 0 else { continue }
        busy.removeAll { $0 == system }
        try StandardOutput.write(
          line: "\(system.name) " + (hasLeft ? "has left" : "runs nothing any more"))
      }
      if busy.isEmpty { return true }
      if let deadline, clock.now >= deadline {
        let names = busy.map(\.name).joined(separator: ", ")
        Console.standardError.line("scans still run on \(names)", level: .error)
        return false
      }
      try await Task.sleep(for: Self.interval)
    }
    return true
  }
}
