import ArgumentParser
import SkyCatalog
import SkyNetCore
import SkyNetJournal
import SkyScan

/// The scan of many images in one run: from the command line to the exit status.
struct NightRun {
  /// How many images may be open at a time: more than systems scan at a time, and few enough for any limit of open
  /// files.
  private static let openImages = 64

  private let command: EngageCommand
  private let entries: [NightEntry]
  private let opener: NightOpener
  private let supply: NightSupply
  private let systems = NightSystems()
  private let writer: NightWriter
  private let job: NightJob
  private let console = Console.standardError

  /// Reads the list of images, and checks the outputs before anything runs.
  ///
  /// - Throws: `ExitCode`.
  init(
    _ command: EngageCommand, _ images: NightOptions, _ options: ImageOptions,
    _ catalogue: EngageCatalogOptions
  ) throws {
    self.command = command
    do {
      let patterns = try NightPatterns(catalogue.places, weight: options.weight)
      let entries = try images.entries(options)
      try Self.prepareFiles(command, entries, patterns)
      let opener = NightOpener(entries, options, patterns, console)
      let supply = NightSupply(limit: Self.openImages) { try await opener.next() }
      self.entries = entries
      self.opener = opener
      self.supply = supply
      writer = NightWriter(
        opener, supply, systems, writesPartial: catalogue.partial, console)
      job = try NightJob(
        name: images.name(of: entries), supply: supply,
        facts: try options.facts(places: catalogue.places),
        inOneTask: options.sectorSize == nil, count: { [count = entries.count] in count })
    } catch {
      throw fail(error)
    }
  }

  /// - Throws: `ExitCode` unless every image has its catalogue.
  func run() async throws {
    let page = RunPage(
      command.page, weights: [], localSlots: command.systems.localSlots)
    try await EngageRun(command, page).run(
      job,
      RunHooks(
        observe: { [systems] in systems.add($0) }, prepare: prepare,
        beside: { [writer, job] in try await writer.run(job.finished) },
        ended: { [writer, job] in
          writer.stopRecording()
          job.stopFinishing()
        },
        finish: finish, hasFailed: { !report.isWhole }))
  }

  private func prepare(_ journal: SQLiteJournal?) async throws {
    guard let journal else { return }
    let parts = try await journal.parts()
    supply.begin(after: parts)
    await opener.resume(parts, in: journal, retryFailed: command.journal.retryFailed)
    writer.record(in: journal)
  }

  private var report: NightReport { NightReport(writer.images, of: entries.map(\.text)) }

  /// Returns lines about the images, and writes the summary.
  private func finish(_ job: NightJob, _ tally: Tally) async throws -> [String] {
    let report = report
    if let summary = command.imaging.night.summary { try report.write(to: summary) }
    return report.lines(journal: command.journal.file)
  }

  /// Refuses images of which one's output would replace another file of the run, and makes the outputs' folders.
  private static func prepareFiles(
    _ command: EngageCommand, _ entries: [NightEntry], _ patterns: NightPatterns
  ) throws {
    let imaging = command.imaging
    var files = try ImageFiles(
      written: command.runOutputs,
      read: [("images", imaging.night.listFile)] + imaging.scan.settingsFiles
        + command.systems.security.files + command.observing.files)
    for entry in entries {
      try files.add(
        entry.text,
        reads: [
          ("image", entry.name.path), ("images", entry.config),
          ("weight", patterns.weight(for: entry.name.path, label: nil)),
        ],
        writes: patterns.outputs(for: entry.name.path, label: nil))
    }
    try files.makeFolders()
  }
}

extension NightOptions {
  /// The images that the options name, in their order.
  ///
  /// - Throws: `ImageListError`; `ValidationError` if a name chooses another extension than the option.
  fileprivate func entries(_ options: ImageOptions) throws -> [NightEntry] {
    var entries = try image.map { try NightEntry($0, extension: options.extension) }
    if let images {
      entries += try ImageList(path: images).entries.map {
        try NightEntry($0.name, extension: options.extension, config: $0.settings)
      }
    }
    return entries
  }

  /// What people see as the name of the run.
  fileprivate func name(of entries: [NightEntry]) -> String {
    entries.count == 1 ? entries[0].text : "\(entries.count) images"
  }
}
