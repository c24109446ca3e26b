import ArgumentParser
import SkyCatalog
import SkyFITS
import SkyNetCluster
import SkyNetCore
import SkyScan

/// The scan of one image: from the command line to the exit status.
struct ImageRun {
  private let images: Images
  private let options: RunOptions
  private let image: String

  init(_ images: Images, _ options: RunOptions) {
    self.images = images
    self.options = options
    image = images.named.image[0]
  }

  /// - Throws: `ExitCode` unless every sector was scanned.
  func run() async throws {
    let scan = images.scan
    var job: ImageJob
    let columns: [Column]
    var catalog: CatalogOutput
    let references: FileReferences
    do {
      references = try images.roots.references(.standardError)
      catalog = try CatalogOutput(images.places)
      let limits = MemoryLimit.all
      // Where memory is scarce an image is cut nevertheless, since a sector takes less than an image.
      let staysWhole =
        options.noneSeesSectors && limits.allSatisfy { $0.room >= ImagePlan.wholeBytes }
      let plan = try await ImagePlan(
        image, scan, wholeUpTo: staysWhole ? ImagePlan.wholeLimit : 0)
      columns = plan.columns
      catalog.inputs = plan.inputs
      try Check.areDistinct(options.writtenFiles + images.writtenFiles, from: plan.configured)
      try await plan.report(scan)
      job = try ImageJob(image: plan.image, weights: plan.weights, settings: plan.settings)
      job.references = references
      job.runsInOneTask = staysWhole && scan.sectorSize == nil
      try options.systems.checkMemory(from: image, limits, job.leastMemory)
    } catch {
      throw fail(error)
    }
    let page = RunPage(options.page, localSlots: options.systems.localSlots, watching: &job)
    let systems = SectorSystems()
    let completion = CatalogCompletion(
      output: catalog, columns: columns, systems: systems, writesPartial: images.incomplete.partial,
      journal: options.recording.journal, console: .standardError)
    try await EngageRun(options, of: Images.self, page).run(
      job,
      RunHooks(
        inputs: catalog.inputs, observe: { systems.add($0.event) },
        finish: { job, tally in
          FinalLines(
            usual: PixelsLine.lines(references.bytes) + (try await completion.finish(job, tally)))
        }, aborted: completion.leave))
  }
}

extension SystemOptions {
  /// - Parameter leastMemory: how many bytes a process needs at least that scans so many sectors at a time.
  /// - Throws: ``MemoryShortage``.
  func checkMemory(
    from image: String, _ limits: [MemoryLimit], _ leastMemory: (_ slots: Int) -> Int
  ) throws(MemoryShortage) {
    let slots = localSlots
    let shared = leastMemory(0)
    try MemoryShortage.check(
      "\(image): to scan it",
      .toConnect(own: leastMemory(slots) - shared, shared: shared, scanThreads: slots),
      remedy: slots > 1 ? "fewer --slots, or --no-local" : slots == 1 ? "--no-local" : nil,
      limits: limits)
  }
}
