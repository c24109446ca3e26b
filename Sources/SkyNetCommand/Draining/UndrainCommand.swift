import ArgumentParser
import Logging
import SkyNetCluster

struct UndrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undrain", abstract: "Have drained systems take scans again.",
    discussion: """
      A program for which the system still runs scans gets it back when these have ended; all others at once.

      \(TimeOption.explanation)

      Exits with 0 if all the systems take scans; with 1 if one could not be asked, or is about to stop; with 2 \
      if a name is that of no system or of several.
      """)

  @OptionGroup var options: DrainOptions

  func run() async throws {
    let areDone = try await options.withSystems { cluster, systems in
      var failures = 0
      for system in systems {
        do {
          if try await cluster.undrain(system).isDraining {
            throw DrainRefusal(
              description: "\(system.name) is about to stop, and takes no scans again")
          }
          try StandardOutput.write(line: "\(system.name) takes scans")
        } catch let error as DrainRefusal {
          failures += 1
          Console.standardError.line("\(error)", level: .error)
        }
      }
      return failures == 0
    }
    Console.standardError.flush()
    if !areDone { throw ExitCode.notDrained }
  }
}
