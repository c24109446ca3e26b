import ArgumentParser
import Foundation
import Logging
import SkyCatalog
import SkyNetCluster
import SkyNetCore
import SkyScan

struct EngageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engage", abstract: "Spread a scan over all systems, and gather the results.",
    discussion: """
      The scan begins at once on this machine. Systems that appear join in; the sectors of those that \
      leave are scanned elsewhere. At Ctrl-C, SIGTERM, or when the terminal is closed (SIGHUP, unless \
      nohup has it ignored), the command hands out no more sectors, finishes those that run (of \
      many images those that end within 10 s), and prints the summary; a second signal ends it within a second.

      \(TimeOption.explanation)

      Examples:

        skynet engage --total 200 --wait-for 2
        skynet engage --image sky.fits --catalog sources.csv --picture sky.png
        skynet engage --image sky.fits --catalog sources.fits --journal run.sqlite
        skynet engage --image night/*.fits --catalog 'out/{name}.csv' --journal night.sqlite
        skynet engage --image sky.fits --background-file background.json --share 0/8 --output s0.jsonl
        skynet engage --peers ada:7777,bob:7777 --no-discovery --total 200
        skynet engage --total 200 --results - | jq .system
      """)

  @OptionGroup(title: "Simulated scan") var simulation: SimulationOptions
  @OptionGroup(title: "Image scan") var imaging: EngageImageOptions
  @OptionGroup(title: "Catalogue") var cataloguing: EngageCatalogOptions
  @OptionGroup(title: "A step of a batch") var batch: EngageBatchOptions
  @OptionGroup(title: "Systems") var systems: SystemOptions
  @OptionGroup(title: "Failures") var failures: FailureOptions
  @OptionGroup(title: "Results") var results: ResultOptions
  @OptionGroup(title: "Journal") var journal: JournalOptions
  @OptionGroup(title: "In a browser") var page: EngagePageOptions
  @OptionGroup(title: "Metrics") var observing: MetricsOptions
  @OptionGroup var log: LogFormatOption

  /// The simulated sky or the image that the command scans.
  var input: EngageInput {
    if imaging.night.isEmpty { return .simulated(simulation) }
    if batch.isGiven, let output = batch.output {
      return .batch(imaging.night.image.first ?? "", imaging.scan, batch, output: output)
    }
    if imaging.night.isNight(cataloguing.places) {
      return .night(imaging.night, imaging.scan, cataloguing)
    }
    return .image(imaging.night.image[0], imaging.scan, cataloguing)
  }

  func validate() throws {
    if case .batch(_, let options, let batch, _) = input {
      try batch.check(imaging.night, options, cataloguing.places)
    }
    try checkNight()
    try Check.areDistinct(
      outputs,
      from: imaging.files + [("background-file", batch.step.backgroundFile)]
        + systems.security.files + observing.files)
    try Check.areDistinct(imaging.files + outputs.dropFirst(), fromSideFilesOf: journal.file)
    if case .image(_, _, let catalogue) = input, let flag = results.printing,
      catalogue.places.catalog.isEmpty
    {
      throw ValidationError(
        "--\(flag)\(flag == "results" ? " -" : "") and the catalogue would both go to standard output: "
          + "give --catalog FILE too")
    }
    if case .image(_, _, let catalogue) = input, results.events == "-",
      catalogue.places.catalog.isEmpty
    {
      throw ValidationError(
        "--events - and the catalogue would both go to standard output: give --catalog FILE too")
    }
  }

  private func checkNight() throws {
    guard case .night(let images, let options, let catalogue) = input else { return }
    guard !catalogue.places.isGiven else {
      // A pattern that is none is an error of the command line, too.
      _ = try NightPatterns(
        catalogue.places, weight: options.weight, several: images.areSeveral)
      return
    }
    let fault =
      if images.follow != nil {
        "a followed folder's images cannot share standard output"
      } else if images.images != nil {
        "a list of images cannot share standard output"
      } else if images.image.count > 1 {
        "\(images.image.count) images cannot share standard output"
      } else {
        "with --summary, a catalogue needs a file"
      }
    throw ValidationError(
      "\(fault): give --catalog 'FOLDER/{name}.csv', where {name} is each image's name")
  }

  /// The files that the command writes, with the options that name them; the journal comes first.
  var outputs: [Check.File] {
    runOutputs + cataloguing.places.files + [("output", batch.output)]
  }

  /// The files that the command writes for the whole run.
  var runOutputs: [Check.File] {
    [
      ("journal", journal.file), ("results", results.resultsFile),
      ("events", results.events == "-" ? nil : results.events),
      ("summary", imaging.night.summary),
    ]
  }

  func run() async throws {
    LoggingSystem.bootstrap {
      ConsoleLog(label: $0, logLevel: .notice, showsTime: Console.standardError.showsTimes)
    }
    log.apply()
    try DescriptorShortage.check(
      hasDiscovery: !systems.peers.noDiscovery, hasJournal: journal.file != nil)
    switch input {
    case .simulated(let simulation): try await scan(simulation)
    case .image(let name, let options, let catalogue): try await scan(name, options, catalogue)
    case .night(let images, let options, let catalogue):
      try await NightRun(self, images, options, catalogue).run()
    case .batch(let name, let options, let batch, let output):
      try await BatchRun(self, name, options, batch, output: output).run()
    }
  }

  private func scan(_ simulation: SimulationOptions) async throws {
    do {
      try checkMemory(of: simulation)
    } catch {
      throw fail(error)
    }
    if simulation.isBare, !results.quiet {
      Console.standardError.line(
        "simulating \(simulation.total) sectors: --image FILE scans an image, and --total N "
          + "simulates more or fewer")
    }
    let job = SimulatedJob(sectorCount: simulation.total, settings: simulation.settings)
    let page = RunPage(
      self.page, weights: job.passes.map(\.weight), localSlots: systems.localSlots)
    try await EngageRun(self, page).run(job)
  }

  private func scan(
    _ image: String, _ options: ImageOptions, _ catalogue: EngageCatalogOptions
  ) async throws {
    var job: ImageJob
    let columns: [Column]
    var catalog: CatalogOutput
    let references: FileReferences
    do {
      references = try imaging.roots.references(.standardError)
      catalog = try CatalogOutput(catalogue.places)
      let limits = MemoryLimit.all
      let staysWhole = noneSeesSectors && limits.allSatisfy { $0.room >= ImagePlan.wholeBytes }
      let plan = try await ImagePlan(
        image, options, wholeUpTo: staysWhole ? ImagePlan.wholeLimit : 0)
      columns = plan.columns
      catalog.inputs = plan.inputs
      try Check.areDistinct(outputs, from: plan.configured)
      try await plan.report(options)
      job = try ImageJob(image: plan.image, weights: plan.weights, settings: plan.settings)
      job.references = references
      job.runsInOneTask = staysWhole && options.sectorSize == nil
      try checkMemory(from: image, limits, job.leastMemory)
    } catch {
      throw fail(error)
    }
    let page = RunPage(self.page, localSlots: self.systems.localSlots, watching: &job)
    let systems = SectorSystems()
    let completion = CatalogCompletion(
      output: catalog, columns: columns, systems: systems, writesPartial: catalogue.partial,
      journal: journal.file, console: .standardError)
    try await EngageRun(self, page).run(
      job,
      RunHooks(
        inputs: catalog.inputs, observe: { systems.add($0.event) },
        finish: { job, tally in
          FinalLines(
            usual: PixelsLine.lines(references.bytes) + (try await completion.finish(job, tally)))
        }, aborted: completion.leave))
  }

  /// Whether cutting a small image gains nothing: one scan at a time is all that can run, nobody is shown single
  /// sectors, and no journal may be continued with more systems. (Where memory is scarce it is cut nevertheless,
  /// since a sector takes less than an image.)
  var noneSeesSectors: Bool {
    systems.haveOneSlot && page.page.web == nil && !results.areWanted && journal.file == nil
  }

  /// - Parameter leastMemory: how many bytes a process needs at least that scans so many sectors at a time.
  /// - Throws: ``MemoryShortage``.
  func checkMemory(
    from image: String, _ limits: [MemoryLimit],
    _ leastMemory: (_ slots: Int) -> Int
  ) throws(MemoryShortage) {
    let slots = systems.localSlots
    let shared = leastMemory(0)
    try MemoryShortage.check(
      "\(image): to scan it",
      .toConnect(
        own: leastMemory(slots) - shared, shared: shared, scanThreads: slots),
      remedy: slots > 1 ? "fewer --slots, or --no-local" : slots == 1 ? "--no-local" : nil,
      limits: limits)
  }

  /// - Throws: ``MemoryShortage``.
  private func checkMemory(of simulation: SimulationOptions) throws(MemoryShortage) {
    let settings = simulation.settings
    // Scans of no length need no threads.
    let threads = settings.lengths.median > 0 ? systems.localSlots : 0
    try MemoryShortage.check(
      settings.sectorBytes > 0 ? "to scan sectors of \(settings.sectorBytes) bytes" : "to scan",
      .toConnect(own: settings.sectorBytes, scanThreads: threads),
      remedy: "fewer --slots or --sector-bytes, or --no-local")
  }
}
