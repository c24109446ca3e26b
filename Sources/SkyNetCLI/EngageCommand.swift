import ArgumentParser
import Foundation
import Logging
import SkyNetCluster
import SkyNetCore
import SkyScan

struct EngageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engage", abstract: "Spread a scan over all systems, and gather the results.",
    discussion: """
      It begins at once on this machine; systems that appear join in, and those that leave are \
      done without. At Ctrl-C nothing new is handed out, what runs is finished and summed up; at \
      the second it stops.
      """)

  @Option(parsing: .unconditional, help: "How many simulated sectors to scan. (default: 20)")
  var total: Int?

  @Option(help: ArgumentHelp("A FITS image to scan instead.", valueName: "file"))
  var image: String?

  @OptionGroup(title: "Simulated scan") var simulation: SimulationOptions
  @OptionGroup(title: "Image scan") var imaging: ImageOptions
  @OptionGroup(title: "Systems") var systems: SystemOptions
  @OptionGroup(title: "Failures") var patience: PatienceOptions
  @OptionGroup(title: "Results") var results: ResultOptions
  @OptionGroup(title: "Journal") var journal: JournalOptions

  func validate() throws {
    try Check.range("total", total, 1...Int.max)
    if image != nil, total != nil {
      throw ValidationError(
        "--total counts simulated sectors, and an image has its own: leave out one")
    }
    if image == nil, imaging.isGiven {
      throw ValidationError("--catalog and --sector-size go with an image: give --image FILE too")
    }
    if image != nil, simulation.isGiven {
      throw ValidationError(
        "--scan-seconds and --failing-every are for simulated scans: leave them or --image out")
    }
    if let file = journal.file {
      for (flag, other) in [("results", results.results), ("catalog", imaging.catalog)]
      where other.map({ Check.isSame($0, file) }) ?? false {
        throw ValidationError("--journal and --\(flag) name the same file: give each its own")
      }
    }
    if image != nil, results.json, imaging.catalog == nil {
      throw ValidationError(
        "--json and the catalogue would both go to standard output: give --catalog FILE too")
    }
  }

  func run() async throws {
    LoggingSystem.bootstrap { _ in ConsoleLog(logLevel: .warning, showsTime: false) }
    guard let image else {
      let job = SimulatedJob(sectorCount: total ?? 20, settings: simulation.settings)
      try await EngageRun(self).run(job)
      return
    }
    let job: ImageJob
    let catalog: CatalogOutput
    do {
      catalog = try CatalogOutput(file: imaging.catalog)
      job = try ImageJob(image: try await FITSImage.open(image), sectorSide: imaging.sectorSize)
    } catch {
      throw fail(error)
    }
    try await EngageRun(self).run(job) { job in try catalog.write(job.catalog) }
  }
}
