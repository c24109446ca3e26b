import Logging
import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import SkyNetJournal
import SkyScan

/// Opens the images of a night in their order, and finds what earlier processes did of them.
actor NightOpener {
  private let queue: NightQueue
  private let options: ImageOptions
  private let patterns: NightPatterns
  /// What is known of the systems that can read the images' files.
  private let references: FileReferences
  private let console: Console
  /// Where images are recorded; `nil` if no later process can continue the run.
  private var journal: SQLiteJournal?
  /// What is to be done at the end of the images that were taken, by the image's name.
  private var ends: [ExactText: NightEnd] = [:]
  /// The files with settings, by the configuration that images name.
  private var settings: [ExactText?: Result<Settings, any Error>] = [:]
  /// Whether it was said that there is a header file beside an image, and that it is not used.
  private var hasNotedHeader = false
  private var past = PastImages()
  /// The outputs of which it was said that they are written again.
  private var rewritten: Set<ExactText> = []
  /// Files are looked at, read and compared here, which blocks.
  private let executor = FITSQueue()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ queue: NightQueue, _ options: ImageOptions, _ patterns: NightPatterns,
    _ references: FileReferences, _ console: Console
  ) {
    self.queue = queue
    self.references = references
    self.options = options
    self.patterns = patterns
    self.console = console
  }

  /// Takes what a journal holds.
  ///
  /// - Parameter retryFailed: whether images that failed are scanned once more.
  func resume(_ parts: [JobPart], in journal: SQLiteJournal, retryFailed: Bool) {
    self.journal = journal
    for part in parts {
      if retryFailed, NightOutcome(part.outcome)?.state == .failed {
        journal.record(.droppedPart(part.number))
      } else {
        past.add(part)
      }
    }
  }

  /// Waits for the next image; `nil` if none is left.
  ///
  /// - Throws: `FollowError`; `CancellationError`.
  func next() async throws -> NightSupply.Next? {
    while let entry = try await queue.next() {
      let state = FileState(path: entry.name.path)
      let known = past.take(entry, state, outputs: patterns.outputs(for: entry).compactMap(\.path))
      if case .finished(let part, let isNews) = known {
        // The next process need not read the files then.
        if isNews { journal?.record(.part(part)) }
        ends[ExactText(entry.text)] = NightEnd(entry)
        return .finished(part)
      }
      do {
        if let refusal = entry.refusal { throw UnreadableImage(refusal) }
        do {
          return try await open(entry, state, known)
        } catch let error as FITSError where error.code == .severalImages {
          await queue.replace(entry, by: try await images(of: entry))
        }
      } catch let error where !(error is CancellationError) {
        return unreadable(entry, state, known, "\(error)")
      }
    }
    return nil
  }

  /// The images of a file that has several.
  private func images(of file: NightEntry) async throws -> [NightEntry] {
    let units = try await ImageReader.images(in: file.name.path)
    let images = file.images(
      units,
      wholeFile: try patterns.wholeFile(
        file, imageCount: units.count,
        settings(file.config ?? options.config).files.catalogFormat))
    if images.contains(where: { $0.wholeFile != nil }) { past.reopen(images) }
    return images
  }

  private func unreadable(
    _ entry: NightEntry, _ state: FileState?, _ past: PastImages.Known, _ reason: String
  ) -> NightSupply.Next {
    var facts = NightFacts(place: entry.place)
    facts.file = state
    facts.configuration = entry.configurationPath
    // Once one of them is there, or another one, the image may be readable.
    let known = try? settings[(entry.config ?? options.config).map { ExactText($0) }]?.get()
    facts.variables = known?.files.variables
    let named = [
      entry.config, patterns.weight(for: entry).map { ImageName($0).path },
      known?.headerPath(beside: entry),
    ]
    .compactMap(\.self).map { NightFacts.Input(path: $0, state: FileState(path: $0)) }
    // Of files with settings, the versions that were read count: once they are others, whatever their contents.
    let read = (known?.inputs ?? []).map { NightFacts.Input(path: $0.path.text, state: $0.state) }
    facts.inputs = read + named.filter { input in !read.contains { $0.path == input.path } }
    if let part = past.part { drop(part) }
    ends[ExactText(entry.text)] = NightEnd(entry)
    return .image(
      name: entry.text, facts: facts.text, known: nil, .failure(UnreadableImage(reason)))
  }

  private func open(
    _ entry: NightEntry, _ state: FileState?, _ known: PastImages.Known
  ) async throws -> NightSupply.Next {
    let settings = try settings(entry.config ?? options.config)
    // No image is scanned in vain.
    try settings.files.opened.checkUnchanged()
    let plan = try await plan(for: entry, settings.files)
    // As in SExtractor, the images of a file do not share one map.
    if options.sextractor != nil, entry.placeInFile.count > 1, let weights = plan.weights,
      !weights.isOneOfSeveral
    {
      throw FITSError(
        .noSuchExtension, path: weights.path,
        fault: "has one weight map for a file of \(entry.placeInFile.count) images",
        nextStep: "give a file with a map for each image")
    }
    try await plan.report(options, notesHeader: !hasNotedHeader)
    hasNotedHeader = hasNotedHeader || plan.unusedHeaderNote != nil
    var job = try plan.job()
    job.references = references
    job.placeInFile = entry.placeInFile
    let printed = try patterns.printedOutputs(for: entry, settings.files.catalogFormat)
    var end = NightEnd(entry)
    if entry.label == nil {
      end.wholeFile = try patterns.wholeFile(entry, imageCount: 1, settings.files.catalogFormat)
    }
    end.outputs = NightOutputs(
      columns: plan.columns, catalogs: patterns.catalogs(for: entry), printed: printed,
      picture: patterns.picture(for: entry), toStandardOutput: patterns.useStandardOutput,
      inputs: plan.inputs)
    if let outputs = end.outputs { try CatalogOutput(unchecked: outputs).check(plan.columns) }
    var facts: NightFacts?
    if journal != nil {
      let weights = try await job.weights?.contentsHash()
      facts = NightFacts(
        job, place: entry.place, contents: try await job.image.contentsHash(), weights: weights)
      facts?.configuration = entry.configurationPath
      facts?.variables = settings.files.variables
      facts?.inputs =
        settings.inputs
        + (job.weights.map {
          [.init(path: $0.path, state: $0.opened.state, contents: weights)]
        } ?? [])
        // Also of a file that is not there: once it is, the catalogue is another one.
        + (settings.headerPath(beside: entry).map {
          let file = plan.image.headerFile
          return [.init(path: $0, state: file?.opened.state, contents: file?.hash)]
        } ?? [])
    }
    var begun = known.part
    if case .unwritten(_, _, let missing) = known, rewritten.insert(ExactText(missing)).inserted {
      console.line("\(missing) is not there as it was written: it is written again")
    }
    if let part = begun {
      if let change = known.change(to: facts, sectors: job.sectorCount) {
        if let text = change.text(entry.text) { console.line(text, level: .warning) }
        drop(part)
        begun = nil
      } else {
        begun?.facts = facts?.text ?? ""
      }
    }
    ends[ExactText(entry.text)] = end
    return .image(name: entry.text, facts: facts?.text ?? "", known: begun, .success(job))
  }

  /// Forgets what earlier processes did of an image.
  private func drop(_ part: JobPart) { journal?.record(.droppedPart(part.number)) }

  /// The images that were taken and have not ended.
  var unfinished: [(name: String, position: Int)] {
    ends.map { (name: $0.text, position: $1.position) }
  }

  /// What to do at the end of an image that ``next()`` has returned.
  func takeEnd(of name: String) -> NightEnd? { ends.removeValue(forKey: ExactText(name)) }

  /// The image has not ended after all.
  func giveBack(_ end: NightEnd, of name: String) { ends[ExactText(name)] = end }

  private func plan(
    for entry: NightEntry, _ files: SettingsFiles
  ) async throws -> ImagePlan {
    var options = options
    options.weight = patterns.weight(for: entry)
    return try await ImagePlan(entry.name, options, files, wholeUpTo: ImagePlan.wholeLimit)
  }

  /// The files with settings of an image.
  private struct Settings {
    let files: SettingsFiles
    /// What a journal keeps of them; empty if there is none.
    let inputs: [NightFacts.Input]

    /// The path of the file whose cards replace those of an image's header, if there is a configuration.
    func headerPath(beside entry: NightEntry) -> String? {
      files.files.map { HeaderFile.path(beside: entry.name.path, suffix: $0.headerSuffix) }
    }
  }

  /// A configuration with the files that it names, read once for all images.
  private func settings(_ configuration: String?) throws -> Settings {
    let key = configuration.map { ExactText($0) }
    if let known = settings[key] { return try known.get() }
    let keepsInputs = journal != nil
    let result = Result {
      let files = try SettingsFiles(
        configuration: configuration, kernel: options.kernel, columns: try options.chosenColumns,
        for: options.sextractorCommand)
      try files.report(options)
      return Settings(
        files: files,
        inputs: keepsInputs ? files.inputs : [])
    }
    settings[key] = result
    return try result.get()
  }
}

/// What is done when an image of a night has ended.
struct NightEnd: Sendable {
  /// The image's position in the night.
  let position: Int
  /// The image's number among those of its file, from 1, and their number.
  let placeInFile: (number: Int, count: Int)
  /// The outputs that have all images of the file; `nil` if there are none.
  var wholeFile: FileOutputs?
  /// What is to be written; `nil` if nothing is.
  var outputs: NightOutputs?

  init(_ entry: NightEntry) {
    (position, placeInFile, wholeFile) = (entry.position, entry.placeInFile, entry.wholeFile)
  }
}

/// What is written of an image when its scan has ended.
struct NightOutputs: Sendable {
  let columns: [Column]
  /// The catalogues whose endings name their formats.
  let catalogs: [String]
  /// The catalogues in a format that a configuration names.
  let printed: [PrintedOutput]
  let picture: String?
  /// Whether a catalogue goes to standard output.
  let toStandardOutput: Bool
  /// The files that the outputs depend on.
  let inputs: [OpenedFile]
}
