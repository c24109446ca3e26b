import ArgumentParser
import Logging
import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import SkyNetJournal
import SkyNetMetrics
import SkyScan

/// The scan of many images in one run.
struct NightRun: ShownRun {
  /// How many images may be open at a time: more than systems scan at a time, and few enough for any limit of open
  /// files.
  private static let openImages = 64

  /// How long a night goes on after a first signal: small images that can end by then are finished.
  let stopLimit: Duration? = .seconds(10)

  let job: NightJob
  private let recording: JournalOptions
  private let isQuiet: Bool
  /// Whether images come while the night runs.
  private let isFollowing: Bool
  private let queue: NightQueue
  private let opener: NightOpener
  private let supply: NightSupply
  private let references: FileReferences
  private let systems = NightSystems()
  private let writer: NightWriter
  private let summary: NightSummaryFile?
  /// Whether the command is `skynet sex`, which says what it has written.
  private let isSex: Bool
  /// The list of images, as it was when it was opened.
  private let list: OpenedFile?
  private let console = Console.standardError

  /// Reads the list of images, and checks the outputs before anything runs.
  ///
  /// - Throws: `ValidationError` if images that the command line names have outputs that would replace each other or
  ///   other files; an error with the reason.
  init(_ images: Images, _ options: RunOptions) throws {
    (recording, isQuiet) = (options.recording, options.isQuiet)
    let (named, scan) = (images.named, images.scan)
    isFollowing = named.follow != nil
    isSex = images.places.sextractor != nil
    do {
      let patterns = try NightPatterns(
        images.places, weight: scan.weight, several: named.areSeveral)
      let list = try named.images.map { try ImageList(path: $0) }
      if scan.strict, let files = try SettingsFiles(scan).files {
        // It would fail each image.
        try StrictError.report(try files.warnings(scan), isStrict: true)
      }
      let entries = try images.entries(list).map { entry in
        var entry = entry
        entry.refusal = patterns.oddName(of: entry)
        return entry
      }
      self.list = list?.opened
      let files = try Self.prepareFiles(images, options, entries, patterns)
      let queue = NightQueue(
        entries, following: images.directory(isQuiet ? nil : console), patterns, files: files,
        extension: scan.extension, console)
      references = try images.roots.references(console)
      let opener = NightOpener(queue, scan, patterns, references, console)
      let supply = NightSupply(limit: Self.openImages) { try await opener.next() }
      self.queue = queue
      self.opener = opener
      self.supply = supply
      summary = try images.table.summary.map { try NightSummaryFile(path: $0) }
      writer = NightWriter(
        opener, supply, systems, writesPartial: images.incomplete.partial, summary)
      job = try NightJob(
        name: images.name(of: entries), supply: supply,
        facts: try scan.facts(places: images.places),
        inOneTask: scan.sectorSize == nil, count: { queue.expectedCount })
    } catch let clash as FileClash where named.images == nil {
      // As with one image, the command line itself names both files.
      throw ValidationError("\(clash)")
    }
  }

  var observers: [any RunObserver] { [systems] }

  func figures(of summaries: [EngagementSummary]) -> [MetricFamily] {
    ImageFigures.images(summaries)
  }

  func hasWork() async throws -> Bool {
    // Whether images will come is not known.
    if isFollowing { return true }
    return try await supply.hasWork()
  }

  func complete(_ engagement: JobEngagement<NightJob>) async throws -> RunOutcome {
    try await resume(from: engagement.journal)
    let tally: Tally
    do {
      tally = try await engagement.run(beside: write) {
        writer.stopRecording()
        job.stopFinishing()
      }.tally
    } catch let stopped as RunStopped {
      await reportStopped()
      throw stopped
    }
    let (written, summary, isWhole) = try await finish()
    var outcome = RunOutcome(
      tally: tally, written: written, summary: summary, hasFailed: !isWhole)
    outcome.isDetailed = true
    return outcome
  }

  private func resume(from journal: SQLiteJournal?) async throws {
    guard let journal else { return }
    let parts = try await journal.parts()
    supply.begin(after: parts)
    await opener.resume(parts, in: journal, retryFailed: recording.retryFailed)
    writer.record(in: journal)
  }

  /// Writes the outputs of each image that has ended, until no more come.
  private func write() async throws {
    do {
      try await writer.run(job.finished)
    } catch let error as OutputFileError {
      throw NightOutputError(output: error, journal: recording.journal)
    }
  }

  /// Returns lines about the images, and whether each has its catalogue; writes the summary.
  private func finish() async throws -> (written: [String], summary: [String], isWhole: Bool) {
    let (waiting, open) = (await queue.left, await opener.unfinished)
    let ended = writer.images
    let unread = await queue.unfinished()
    if let summary {
      for image in open {
        await summary.set(
          NightSummary.Row(image: image.name, state: .running), at: image.position)
      }
      // The images that were not taken come after those that were.
      for (index, name) in waiting.enumerated() {
        await summary.set(NightSummary.Row(image: name), at: ended.count + open.count + index)
      }
      for (index, file) in unread.enumerated() {
        await summary.set(
          NightSummary.Row(image: file.path, state: .failed, reason: file.reason),
          at: ended.count + open.count + waiting.count + index)
      }
      do {
        try await summary.finish()
      } catch let error as OutputFileError {
        throw NightOutputError(output: error, journal: recording.journal)
      }
    }
    let incomplete = unread.map { "not scanned: \($0.path) \($0.reason)" }
    let report = NightReport(ended, unread: unread.count, left: waiting.count + open.count)
    // The silent command says only what is wrong.
    let isSilent = isSex && isQuiet && report.isWhole
    if let list, list.hasChanged {
      console.line(
        "\(list.path) was changed after it was read: the images and settings of this run are those that it had then",
        level: .warning)
    }
    return (
      PixelsLine.lines(references.bytes) + (isSex ? writer.wholeFileLines : []),
      incomplete + (isSilent ? [] : report.lines(journal: recording.journal)), report.isWhole
    )
  }

  /// Says what a night that was stopped has done by then, and writes the summary. One that has not begun knows nothing
  /// of its images, and leaves the summary of an earlier process.
  private func reportStopped() async {
    guard systems.hasBegun else { return }
    do {
      let (written, summary, _) = try await finish()
      for line in (isQuiet ? [] : written) + summary { console.line(line) }
    } catch {
      console.line("\(error)", level: .error)
    }
  }

  /// Refuses images of which one's output would replace another file of the run, and makes the outputs' folders.
  private static func prepareFiles(
    _ images: Images, _ options: RunOptions, _ entries: [NightEntry], _ patterns: NightPatterns
  ) throws -> ImageFiles {
    var files = try ImageFiles(
      written: options.writtenFiles + [("summary", images.table.summary)],
      read: [("images", images.named.listFile)] + images.scan.settingsFiles
        + options.readFiles)
    for entry in entries {
      try files.add(
        entry.text,
        reads: [
          ("image", entry.name.path), ("images", entry.config),
          ("weight", patterns.weight(for: entry)),
        ],
        writes: patterns.outputs(for: entry))
    }
    try files.makeFolders()
    // Where one file can be made, others can: the images' outputs are not all tried.
    var folders: Set<ExactText> = []
    for entry in entries where entry.refusal == nil {
      for case let path? in patterns.outputs(for: entry).map(\.path)
      where folders.insert(ExactText(SplitPath.split(path).folder ?? ".")).inserted {
        _ = try OutputFile(path: path)
      }
    }
    return files
  }
}

extension Images {
  /// The images that the options and the list name, in their order.
  ///
  /// - Throws: `ValidationError` if a name chooses another extension than the option.
  fileprivate func entries(_ list: ImageList?) throws -> [NightEntry] {
    var entries = try named.image.map { try NightEntry($0, extension: scan.extension) }
    entries += try (list?.entries ?? []).map {
      try NightEntry($0.name, extension: scan.extension, config: $0.settings)
    }
    return entries
  }

  /// The folder that is followed.
  ///
  /// - Parameter console: gets a line when the run waits for images the first time; `nil` for none.
  fileprivate func directory(_ console: Console?) -> FollowedDirectory? {
    named.follow.map { path in
      var settings = FollowedDirectory.Settings()
      settings.idleTimeout = night.untilIdle.map { .seconds($0) }
      let end = night.untilIdle.map { "until none has come for \(TimeOption.text($0)), or Ctrl-C" }
      settings.waits = {
        console?.line("waiting for images to come into \(path), \(end ?? "until Ctrl-C")")
      }
      return FollowedDirectory(path, settings)
    }
  }

  /// What people see as the name of the run.
  fileprivate func name(of entries: [NightEntry]) -> String {
    if let follow = named.follow { return "images of \(follow)" }
    return entries.count == 1 ? entries[0].text : "\(entries.count) images"
  }
}
