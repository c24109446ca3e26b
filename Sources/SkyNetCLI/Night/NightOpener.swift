import Logging
import SkyCatalog
import SkyFITS
import SkyNetCluster
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
  /// What earlier processes recorded of images, by their place.
  private var past: [NightFacts.Place: JobPart] = [:]
  /// What is to be done at the end of the images that were taken, by the image's name.
  private var ends: [String: NightEnd] = [:]
  /// Each configuration file that images name.
  private var configurations: [String: Result<SExtractorFiles, any Error>] = [:]

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
      guard let facts = NightFacts(part.facts) else { continue }
      if retryFailed, NightOutcome(part.outcome)?.state == .failed {
        journal.record(.droppedPart(part.number))
      } else {
        past[facts.place] = part
      }
    }
  }

  /// Waits for the next image; `nil` if none is left.
  ///
  /// - Throws: `FollowError`; `CancellationError`.
  func next() async throws -> NightSupply.Next? {
    while let entry = try await queue.next() {
      let state = FileState(path: entry.name.path)
      let known = past.removeValue(forKey: entry.place)
      let facts = known.flatMap { NightFacts($0.facts) }
      if let known, let facts, let part = finished(known, facts, state, entry) {
        ends[entry.text] = NightEnd(position: entry.position)
        return .finished(part)
      }
      do {
        if let refusal = entry.refusal { throw UnreadableImage(refusal) }
        return try await open(entry, state, known, facts)
      } catch let error as FITSError where error.code == .severalImages {
        await queue.replace(entry, by: try await ImageReader.images(in: entry.name.path))
      } catch let error where !(error is CancellationError) {
        return unreadable(entry, state, known, "\(error)")
      }
    }
    return nil
  }

  /// The part of an image that an earlier process finished; `nil` if it did not, or the image has changed since.
  private func finished(
    _ known: JobPart, _ facts: NightFacts, _ state: FileState?, _ entry: NightEntry
  ) -> JobPart? {
    guard NightOutcome(known.outcome) != nil else { return nil }
    if facts.file == state { return known }
    guard hasContents(facts.contents, entry) else { return nil }
    // Recorded, so that the next process need not read the file.
    var (part, latest) = (known, facts)
    latest.file = state
    part.facts = latest.text
    journal?.record(.part(part))
    return part
  }

  private func unreadable(
    _ entry: NightEntry, _ state: FileState?, _ known: JobPart?, _ reason: String
  ) -> NightSupply.Next {
    var facts = NightFacts(place: entry.place)
    facts.file = state
    ends[entry.text] = NightEnd(position: entry.position)
    return .image(
      name: entry.text, facts: facts.text, known: known.flatMap { drop($0) },
      .failure(UnreadableImage(reason)))
  }

  private func open(
    _ entry: NightEntry, _ state: FileState?, _ known: JobPart?, _ past: NightFacts?
  ) async throws -> NightSupply.Next {
    let plan = try await plan(for: entry)
    var job = try ImageJob(image: plan.image, weights: plan.weights, settings: plan.settings)
    job.references = references
    var facts: NightFacts?
    if journal != nil {
      facts = NightFacts(
        job, place: entry.place, file: state, contents: try await job.image.contentsHash(),
        weights: try await job.weights?.contentsHash())
    }
    var known = known
    if let part = known, let past {
      let isSame = past.contents == facts?.contents && past.settings == facts?.settings
      if !isSame || part.outcome != nil || part.sectors.count != job.sectorCount {
        console.line(
          "\(entry.text) has changed since it was scanned: it is scanned anew", level: .warning)
        known = drop(part)
      } else {
        known?.facts = facts?.text ?? ""
      }
    }
    ends[entry.text] = NightEnd(
      position: entry.position,
      outputs: NightOutputs(
        columns: plan.columns, catalogs: patterns.catalogs(for: entry),
        picture: patterns.picture(for: entry), file: state, contents: facts?.contents))
    return .image(name: entry.text, facts: facts?.text ?? "", known: known, .success(job))
  }

  /// Forgets what earlier processes did of an image.
  private func drop(_ part: JobPart) -> JobPart? {
    journal?.record(.droppedPart(part.number))
    return nil
  }

  /// Whether an image's file has these contents, whatever its times say.
  private func hasContents(_ contents: String?, _ entry: NightEntry) -> Bool {
    guard let contents else { return false }
    return (try? FITSImage.contentsHash(ofFile: entry.name.path)) == contents
  }

  /// The images that were taken and have not ended.
  var unfinished: [(name: String, position: Int)] {
    ends.map { (name: $0, position: $1.position) }
  }

  /// What to do at the end of an image that ``next()`` has returned.
  func takeEnd(of name: String) -> NightEnd? { ends.removeValue(forKey: name) }

  private func plan(for entry: NightEntry) async throws -> ImagePlan {
    var options = options
    options.weight = patterns.weight(for: entry)
    let files = try (entry.config ?? options.config).map(files)
    return try await ImagePlan(entry.name, options, files, wholeUpTo: ImagePlan.wholeLimit)
  }

  /// The configuration file and those that it names, read once for all images.
  private func files(_ path: String) throws -> SExtractorFiles {
    if let known = configurations[path] { return try known.get() }
    let result = Result { try SExtractorFiles(configuration: path) }
    configurations[path] = result
    let files = try result.get()
    if let notice = files.configuration.notice(file: path) { console.line("note: \(notice)") }
    return files
  }
}

/// What is done when an image of a night has ended.
struct NightEnd: Sendable {
  /// The image's position in the night.
  let position: Int
  /// What is to be written; `nil` if nothing is.
  var outputs: NightOutputs?
}

/// What is written of an image when its scan has ended.
struct NightOutputs: Sendable {
  let columns: [Column]
  let catalogs: [String]
  let picture: String?
  /// The image's file when it was opened.
  let file: FileState?
  /// The hash of the file's contents, if it is known.
  let contents: String?

  /// Whether the file has been changed or replaced since it was opened.
  func hasChanged(_ path: String) -> Bool {
    FileState(path: path) != file
      && (contents == nil || (try? FITSImage.contentsHash(ofFile: path)) != contents)
  }
}
