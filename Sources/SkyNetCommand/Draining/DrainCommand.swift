import ArgumentParser
import Logging
import SkyNetCluster
import SkyNetCore

struct DrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drain", abstract: "Take systems out of work, while their nodes stay up.",
    discussion: """
      A drained node takes no new scans, hands back those that wait, which go elsewhere, and finishes those that \
      run. It says so wherever systems are shown, with the name of the user and machine that asked. `\(Program.name) \
      undrain` has it take scans again. A node that is started anew is not drained.

      \(TimeOption.explanation)

      For example: \(Program.name) drain lab3 --wait && ssh lab3 sudo reboot

      With --wait, a system that stops in order has left. One whose connection breaks is looked for, as its scans may \
      still run.

      Exits with 0 if all the systems drain, and with --wait run nothing any more; with 1 if one could not be asked, \
      was undrained or started anew meanwhile, or --wait-timeout is over; with 2 if a name is that of no system or of \
      several.
      """)

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
      throw ValidationError(
        "--wait-timeout is how long --wait waits: give --wait too, or leave it out")
    }
  }

  func run() async throws {
    let areDone = try await options.withSystems { [wait, waitTimeout] cluster, systems in
      try await Departures.following(cluster) { departures in
        let drained = try await Self.drain(systems, in: cluster)
        if wait {
          let watch = DrainWatch(cluster: cluster, departures: departures, timeout: waitTimeout)
          guard try await watch.waitUntilIdle(drained) else { return false }
        }
        return drained.count == systems.count
      }
    }
    Console.standardError.flush()
    if !areDone { throw ExitCode.notDrained }
  }

  /// Asks the systems to drain, one after the other. Returns those that do.
  private static func drain(
    _ systems: [RemoteSystem], in cluster: Cluster
  ) async throws -> [RemoteSystem] {
    var drained: [RemoteSystem] = []
    for system in systems {
      do {
        let status = try await cluster.drain(system)
        try StandardOutput.write(line: line(system, status))
        drained.append(system)
      } catch let error as DrainRefusal {
        Console.standardError.line("\(error)", level: .error)
      }
    }
    return drained
  }

  private static func line(_ system: RemoteSystem, _ status: SystemStatus) -> String {
    let count = status.runningCount
    return "drained \(system.name): "
      + (count == 0 ? "nothing runs there" : "\(count) scan\(count == 1 ? "" : "s") still run")
      + (count == 1 ? "s" : "")
  }
}
