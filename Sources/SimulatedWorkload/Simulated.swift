import ArgumentParser
package import SkyNetCommand
package import SkyNetCore
import SkySimulation

/// A simulated sky, whose scans take time and do nothing.
package struct Simulated: Workload {
  package init() {}

  package typealias Choice = SimulatedSectors
  package typealias Offering = SimulatedOffering

  package static var name: String { "simulated" }
  package static var choosers: [String] { ["--total"] }
  package static var invitation: String { "--total N" }
  package static var purpose: String { "simulated scans" }
  package static var examples: [String] {
    [
      "--total 200 --wait-for 2", "--peers ada:7777,bob:7777 --no-discovery --total 200",
      "--total 200 --results - | jq .system",
    ]
  }
  package static var scans: [any Scan] { [SimulatedScan()] }

  @OptionGroup(title: "Simulated scan") var sectors: SimulatedSectors
  @OptionGroup(title: "Simulated scan") var simulation: SimulationOptions

  package func prepare(_ options: RunOptions) throws -> any WorkloadRun {
    let settings = simulation.settings
    // Scans of no length need no threads.
    let threads = settings.lengths.median > 0 ? options.localSlots : 0
    try MemoryShortage.check(
      settings.sectorBytes > 0 ? "to scan sectors of \(settings.sectorBytes) bytes" : "to scan",
      .toConnect(own: settings.sectorBytes, scanThreads: threads),
      remedy: "fewer --slots or --sector-bytes, or --no-local")
    let total = sectors.total
    if isBare, !options.isQuiet {
      let others = Program.workloads.all.filter { $0 != Self.self }
        .map { "\($0.invitation) for \($0.purpose), " }
      Console.standardError.line(
        "simulating \(total) sectors: give \(others.joined())--total N for more or fewer")
    }
    return JobRun(SimulatedJob(sectorCount: total, settings: settings))
  }

  package static func job(of task: RecordedTask) throws -> (any Job)? {
    let settings = try task.settings(as: SimulatedScan.Settings.self)
    guard (0...SimulatedScan.maximumBytes).contains(settings.sectorBytes) else {
      throw ReplayError.impossibleSettings(
        task.journal, "a sector has \(settings.sectorBytes) bytes")
    }
    return SimulatedJob(sectorCount: task.sectors, settings: settings)
  }

  /// Whether the command line says nothing of the scan, so that its user may not know what is scanned.
  package var isBare: Bool { sectors.total == 20 && simulation.settings == .init(seconds: 1) }
}

/// How a node runs simulated scans.
package struct SimulatedOffering: NodeOffering {
  package init() {}

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Make simulated scans so many times as fast here.", valueName: "factor"))
  package var speed = 1.0

  package var arguments: [String] { speed == 1 ? [] : ["--speed", "\(speed)"] }

  package func validate() throws {
    guard speed > 0, speed <= 1e6 else {
      throw ValidationError("--speed is \(speed), but it must be more than 0 and at most 1000000")
    }
  }

  package func offer(withholding files: [String]) -> NodeOffer {
    NodeOffer(scans: [SimulatedScan(speed: speed)])
  }
}
