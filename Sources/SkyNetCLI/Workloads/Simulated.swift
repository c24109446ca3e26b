import ArgumentParser
import SkyNetCore
import SkyScan

/// A simulated sky, whose scans take time and do nothing.
struct Simulated: Workload {
  typealias Choice = SimulatedSectors
  typealias Offering = SimulatedOffering

  static var choosers: [String] { ["--total"] }
  static var invitation: String { "--total N" }
  static var purpose: String { "simulated scans" }
  static var examples: [String] {
    [
      "--total 200 --wait-for 2", "--peers ada:7777,bob:7777 --no-discovery --total 200",
      "--total 200 --results - | jq .system",
    ]
  }
  static var scans: [any Scan] { [SimulatedScan()] }

  @OptionGroup(title: "Simulated scan") var simulation: SimulationOptions

  func prepare(_ options: RunOptions) throws -> any WorkloadRun {
    let settings = simulation.settings
    // Scans of no length need no threads.
    let threads = settings.lengths.median > 0 ? options.systems.localSlots : 0
    try MemoryShortage.check(
      settings.sectorBytes > 0 ? "to scan sectors of \(settings.sectorBytes) bytes" : "to scan",
      .toConnect(own: settings.sectorBytes, scanThreads: threads),
      remedy: "fewer --slots or --sector-bytes, or --no-local")
    let total = simulation.sectors.total
    if simulation.isBare, !options.results.quiet {
      Console.standardError.line(
        "simulating \(total) sectors: --image FILE scans an image, and --total N simulates more or fewer"
      )
    }
    return JobRun(SimulatedJob(sectorCount: total, settings: settings))
  }
}

/// How a node runs simulated scans.
struct SimulatedOffering: NodeOffering {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Make simulated scans so many times as fast here.", valueName: "factor"))
  var speed = 1.0

  func validate() throws {
    guard speed > 0, speed <= 1e6 else {
      throw ValidationError("--speed is \(speed), but it must be more than 0 and at most 1000000")
    }
  }

  func offer(withholding files: [String]) -> NodeOffer {
    NodeOffer(scans: [SimulatedScan(speed: speed)])
  }
}
