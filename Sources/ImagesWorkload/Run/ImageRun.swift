import Logging
import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import SkyNetJournal
import SkyScan

/// The scan of one image.
struct ImageRun: ShownRun {
  let job: ImageJob
  let outputs: [FileOption]
  private let files: [OpenedFile]
  private let references: FileReferences
  private let systems = SectorSystems()
  private let completion: CatalogCompletion
  private let shown: ImagePage?
  /// Whether the catalogue would have further images of the file, if they could be read.
  private let lacksImages: Bool
  private let looksForNodes: Bool

  /// Opens the image, and checks the outputs before anything runs.
  init(_ images: Images, _ options: RunOptions) async throws {
    let (image, scan) = (images.named.image[0], images.scan)
    references = try images.roots.references(.standardError)
    let settings = try SettingsFiles(scan)
    var catalog = try CatalogOutput(images.places, settings.catalogFormat)
    let limits = MemoryLimit.all
    // Where memory is scarce an image is cut nevertheless, since a sector takes less than an image.
    let staysWhole =
      options.noneSeesSectors && limits.allSatisfy { $0.room >= ImagePlan.wholeBytes }
    let plan = try await ImagePlan(
      try ImageName(image).choosing(scan.extension), scan, settings,
      wholeUpTo: staysWhole ? ImagePlan.wholeLimit(slots: options.localSlots) : 0)
    try settings.report(scan)
    catalog.inputs = plan.inputs
    try catalog.check(plan.columns)
    try Check.areDistinct(options.writtenFiles + images.writtenFiles, from: plan.configured)
    try await plan.report(scan)
    outputs = images.writtenFiles
    var job = try plan.job()
    job.references = references
    job.runsInOneTask = staysWhole && scan.sectorSize == nil
    try Self.checkMemory(for: job, from: image, options.systems, limits)
    lacksImages =
      plan.image.isBeforeDamage && (images.places.sextractor != nil || images.places.arePrinted)
    shown = ImagePage(options, watching: &job)
    looksForNodes = options.looksForNodes
    self.job = job
    files = plan.inputs
    completion = CatalogCompletion(
      output: catalog, columns: plan.columns, systems: systems,
      writesPartial: images.incomplete.partial, journal: options.journal,
      console: .standardError)
  }

  var record: (any Encodable & Sendable)? { ImageRecord(job.image, job.weights) }
  var inputs: [RunInput] { files.map(RunInput.init) }
  var observers: [any RunObserver] { [systems] }

  func page(_ options: RunOptions, words: RunWords) -> RunPage? { shown?.page }

  func complete(_ engagement: JobEngagement<ImageJob>) async throws -> RunOutcome {
    let picture = engagement.journal?.progress.isResumed == true ? shown : nil
    let scanned: (job: ImageJob, tally: Tally)
    do {
      scanned = try await accompanied(
        by: { await picture?.completePicture() }, engagement.run)
    } catch {
      let wasStopped = error is RunStopped
      completion.leave(wasStopped)
      if wasStopped, let changed = files.first(where: \.hasChanged) {
        Console.standardError.line("\(ChangedFile(path: changed.path))", level: .warning)
      }
      throw error
    }
    return RunOutcome(
      tally: scanned.tally,
      written: PixelsLine.lines(references.bytes)
        + (try await completion.finish(scanned.job, scanned.tally)) + aloneLine(scanned.tally),
      hasFailed: lacksImages)
  }

  /// Says that no node has taken part, as one that is found takes a moment to join.
  private func aloneLine(_ tally: Tally) -> [String] {
    guard looksForNodes, !systems.haveMet, tally.restoredCount < tally.total else { return [] }
    return [
      "no node had joined when the image was done: with --wait-for 1 the scan begins when one has, and "
        + "`\(Program.name) systems` shows which there are"
    ]
  }

  /// Checks that this process has the memory to scan the image.
  private static func checkMemory(
    for job: ImageJob, from image: String, _ systems: SystemOptions, _ limits: [MemoryLimit]
  ) throws(MemoryShortage) {
    let slots = systems.localSlots
    let shared = job.leastMemory(slots: 0)
    try MemoryShortage.check(
      "\(image): to scan it",
      .toConnect(
        own: job.leastMemory(slots: slots) - shared, shared: shared, scanThreads: slots),
      remedy: slots > 1 ? "fewer --slots, or --no-local" : slots == 1 ? "--no-local" : nil,
      limits: limits)
  }
}
