import Foundation
import SkyDetection
import SkyFITS
import SkyNetCluster
import SkyNetCore
import SkyNetJournal
import SkyScan

/// Makes a task of a run again: from the journal, and from the image's file.
struct ReplaySource {
  let journal: String
  let sector: Int
  let pass: Int?
  let attempt: Int?
  let image: String?
  let weights: String?
  let background: String?

  /// What the journal tells of the sector.
  private struct Record {
    let run: RunID?
    let identity: JobIdentity
    let sectors: Int
    let story: SectorStory
    let setup: RunSetup
    let task: TaskID
    /// The image of a night that the sector belongs to.
    let part: JobPart?
  }

  /// - Throws: ``ReplayError``; `JournalError`, `FITSError`, `InvalidScan`.
  func replay() async throws -> Replay {
    let record = try record()
    switch record.setup.kind {
    case SimulatedScan.kind:
      let job = try simulatedJob(record)
      return try await replay(job, from: [TaskRange(sectors: 0..<job.sectorCount)], record)
    case SourceScan.kind where record.setup.sectors != nil:
      let job = try await batchJob(record)
      return try await replay(job, from: job.firstTasks, record)
    case SourceScan.kind:
      let job = try await imageJob(record)
      return try await replay(job, from: job.firstTasks(record.task.pass), record)
    default: throw ReplayError.unknownKind(journal, "\(record.setup.kind)")
    }
  }

  private func record() throws -> Record {
    try RunHistory.read(journal) { history in
      guard sector < history.sectors else {
        throw ReplayError.noSuchSector(journal, sector, of: history.sectors)
      }
      let part = try history.part(ofSector: sector)
      if history.isGrowing, part == nil { throw ReplayError.noImageOfSector(journal, sector) }
      let story = try history.story(ofSector: sector)
      let pass = pass ?? story.pass
      guard let setup = try history.setup(ofProcess: story.process(in: pass)) else {
        throw ReplayError.noSettings(journal)
      }
      return Record(
        run: history.run, identity: history.job, sectors: history.sectors, story: story,
        setup: setup, task: TaskID(pass: pass, sector: sector), part: part)
    }
  }

  // MARK: The job

  private func settings<Settings: Decodable>(
    _ type: Settings.Type, _ setup: RunSetup
  ) throws -> Settings {
    do {
      return try JSONDecoder().decode(type, from: Data(setup.settings.utf8))
    } catch {
      throw ReplayError.impossibleSettings(journal, "they cannot be read")
    }
  }

  private func simulatedJob(_ record: Record) throws -> SimulatedJob {
    guard image == nil, weights == nil else {
      throw ReplayError.impossibleSettings(
        journal, "the run was simulated, and has no image: leave --image and --weight out")
    }
    let settings = try settings(SimulatedScan.Settings.self, record.setup)
    guard (0...SimulatedScan.maximumBytes).contains(settings.sectorBytes) else {
      throw ReplayError.impossibleSettings(journal, "a sector has \(settings.sectorBytes) bytes")
    }
    return SimulatedJob(sectorCount: record.sectors, settings: settings)
  }

  private func imageJob(_ record: Record) async throws -> ImageJob {
    if let part = record.part { return try await imageJob(of: part) }
    let (image, weights, settings) = try await files(record)
    let job = try ImageJob(image: image, weights: weights, settings: settings)
    try await check(job, of: image, record)
    return job
  }

  /// The job of a batch's step. Sectors that other engagements scan are none of its tasks.
  private func batchJob(_ record: Record) async throws -> BatchJob {
    let (image, weights, settings) = try await files(record)
    let scan = try BatchScan(image: image, weights: weights, settings: settings)
    let sectors = record.setup.sectors ?? []
    guard sectors.contains(where: { $0.contains(sector) }) else {
      throw ReplayError.notChosen(journal, sector)
    }
    // The background fits no other image, so the image is checked before it.
    let facts = try await ImageJob(image: image, weights: weights, settings: settings).identity()
    let others = record.identity.differences(from: facts).filter { name in
      facts.facts.contains { $0.name == name }
    }
    guard others.isEmpty else {
      throw ReplayError.otherImage(image.path, differences: others.joined(separator: ", "))
    }
    try check(settings, fit: image)
    guard let file = background ?? ImageRecord(in: record.setup)?.background else {
      return try scan.job(sectors, over: nil) { _ in }
    }
    let document = try document(file, of: image)
    guard let job = try? scan.job(sectors, over: (file, document), { _ in }),
      record.identity.differences(from: try await job.identity()).isEmpty
    else { throw ReplayError.otherBackground(file) }
    return job
  }

  private func document(_ file: String, of image: FITSImage) throws -> BackgroundDocument {
    do {
      return try readDocument(
        file, as: BackgroundDocument.self, most: BackgroundDocument.mostBytes(of: image)
      ).document
    } catch let error as DocumentError where background == nil {
      throw ReplayError.noImage("\(error.path): \(error.fault)", option: "background-file")
    }
  }

  /// The image, its weights and the settings that the run recorded.
  private func files(
    _ record: Record
  ) async throws -> (FITSImage, weights: FITSImage?, SourceScan.Settings) {
    let settings = try settings(SourceScan.Settings.self, record.setup)
    guard let recorded = ImageRecord(in: record.setup) else {
      throw ReplayError.noSettings(journal)
    }
    let (image, weights) = try await open(recorded.image, weights: recorded.weights)
    return (image, weights, settings)
  }

  private func check<J: Job>(
    _ job: J, of image: FITSImage, _ record: Record
  ) async throws where J.Work == SourceScan {
    // No sector depends on the header file, which is not opened here.
    let differences = record.identity.differences(from: try await job.identity())
      .filter { $0 != ImageJob.headerFileFact }
    guard differences.isEmpty else {
      throw ReplayError.otherImage(image.path, differences: differences.joined(separator: ", "))
    }
    try check(job.settings, fit: image)
  }

  /// The job of one image of a night.
  private func imageJob(of part: JobPart) async throws -> ImageJob {
    guard let facts = NightFacts(part.facts), let scan = facts.scan else {
      throw ReplayError.notOpened(journal, part.name)
    }
    func file(_ file: NightFacts.Scan.File) -> ImageRecord.File {
      ImageRecord.File(path: file.path, image: file.image)
    }
    let (image, weights) = try await open(file(scan.image), weights: scan.weights.map(file))
    let job = try ImageJob(image: image, weights: weights, settings: scan.settings)
    let found = NightFacts(
      job, place: facts.place, contents: try await image.contentsHash(),
      weights: try await weights?.contentsHash())
    let settings = facts.settings?.filter { !$0.hasPrefix("\(ImageJob.headerFileFact): ") }
    guard found.contents == facts.contents, found.settings == settings else {
      let what = found.contents == facts.contents ? "settings or weights" : "image contents"
      throw ReplayError.otherImage(image.path, differences: what)
    }
    try check(scan.settings, fit: image)
    guard job.sectorCount == part.sectors.count else {
      throw ReplayError.impossibleSettings(journal, "they are of another image")
    }
    return job
  }

  private func check(_ settings: SourceScan.Settings, fit image: FITSImage) throws {
    guard (settings.grid.width, settings.grid.height) == (image.width, image.height),
      settings.coding == image.coding
    else { throw ReplayError.impossibleSettings(journal, "they are of another image") }
  }

  private func open(
    _ image: ImageRecord.File, weights: ImageRecord.File?
  ) async throws -> (FITSImage, weights: FITSImage?) {
    let opened = try await open(self.image, or: image, option: "image")
    if let weights {
      return (opened, try await open(self.weights, or: weights, option: "weight"))
    }
    guard self.weights == nil else {
      throw ReplayError.impossibleSettings(journal, "the run had no weights: leave --weight out")
    }
    return (opened, nil)
  }

  private func open(
    _ given: String?, or recorded: ImageRecord.File, option: String
  ) async throws -> FITSImage {
    do {
      if let given { return try await ImageReader.open(ImageName(given)) }
      return try await FITSImage.open(
        recorded.path, extension: "\(recorded.image)", reader: try ImageReader.process())
    } catch let error as FITSError where given == nil {
      throw ReplayError.noImage("\(error)", option: option)
    }
  }

  // MARK: The task

  /// - Parameters:
  ///   - fresh: the job, before any output. Its sectors are numbered from 0, also those of one image of a night.
  ///   - first: the tasks that the job begins with.
  private func replay<J: Job>(
    _ fresh: J, from first: [TaskRange], _ record: Record
  ) async throws -> Replay {
    let task = record.task
    let sectors = record.part?.sectors
    let local = task.within(sectors)
    var job = fresh
    var recorded: Data?
    try RunHistory.read(journal) { history in
      let tasks = try feed(&job, first, with: history, before: task.pass, in: sectors)
      guard tasks.contains(where: { $0.pass == task.pass && $0.sectors.contains(local.sector) })
      else {
        // The step of a batch has one pass, which needs no other.
        let missing =
          record.setup.sectors == nil
          ? try missing(before: task.pass, in: sectors, history) : 0
        throw ReplayError.noSuchTask(journal, task, missing: missing)
      }
      recorded = try history.output(of: task, as: J.Work.Output.self).map { try Replay.json($0) }
    }
    let attempt = attempt ?? record.story.attempt(in: task.pass)
    let sector = try await job.sector(for: local)
    // What was compared with the run's image is what was read.
    try job.openedFiles.checkUnchanged()
    let names = record.setup.passes
    return Replay(
      task: ScanTask(
        task, of: record.run, for: J.Work.self, settings: job.settings,
        sector: sector, attempt: ScanAttempt(number: attempt)),
      name: record.part?.name ?? record.setup.name,
      passName: names.indices.contains(task.pass) && names.count > 1 ? names[task.pass] : nil,
      sectorOfPart: record.part == nil ? nil : local.sector,
      story: record.story.lines(ofPass: task.pass), recorded: recorded)
  }

  /// Gives the job the outputs of earlier passes, as a process that continues the run does. Returns the tasks
  /// that there are then.
  private func feed<J: Job>(
    _ job: inout J, _ first: [TaskRange], with history: RunHistory, before pass: Int,
    in sectors: Range<Int>?
  ) throws -> [TaskRange] {
    var tasks = first
    guard !first.contains(where: { $0.pass == pass }) else { return tasks }
    try history.forEachOutput(of: J.Work.Output.self, before: pass, in: sectors) {
      task, output, _ in
      let local = task.within(sectors)
      do {
        try job.check(output, for: local)
      } catch {
        throw ReplayError.impossibleOutput(journal, task.sector, "\(error)")
      }
      tasks += try job.receive(output, for: local).added
    }
    return tasks
  }

  /// How many outputs of the first pass are not there. All sectors have that pass.
  private func missing(
    before pass: Int, in sectors: Range<Int>?, _ history: RunHistory
  ) throws -> Int {
    guard pass > 0 else { return 0 }
    let done = try history.outputCount(ofPass: 0, in: sectors)
    return (sectors?.count ?? history.sectors) - done
  }
}

extension Job {
  /// The image of a scan and its weights.
  fileprivate var openedFiles: [OpenedFile] {
    switch self {
    case let job as ImageJob: [job.image, job.weights].compactMap { $0?.opened }
    case let job as BatchJob: [job.image, job.weights].compactMap { $0?.opened }
    default: []
    }
  }
}

extension ImageJob {
  /// The tasks that the job began with, if a task of this pass was among those that followed: the image was scanned
  /// in one task, or not.
  fileprivate func firstTasks(_ pass: Int) -> [TaskRange] {
    let whole = firstTasks(inOneTask: true)
    return whole.contains { $0.pass == pass } ? whole : firstTasks(inOneTask: false)
  }
}

extension TaskID {
  /// The task with its sector's number within a part; the same task if there is no part.
  fileprivate func within(_ sectors: Range<Int>?) -> TaskID {
    TaskID(pass: pass, sector: sector - (sectors?.lowerBound ?? 0))
  }
}

extension JobIdentity {
  /// The names of the facts that another job has otherwise.
  fileprivate func differences(from other: JobIdentity) -> [String] {
    let names = (facts + other.facts).map(\.name)
    func value(_ name: String, in facts: [Fact]) -> String? {
      facts.first { $0.name == name }?.value
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
      .filter { value($0, in: facts) != value($0, in: other.facts) }
      .map { String($0.prefix(60)) }
  }
}

extension SectorStory {
  /// The most attempts that are listed.
  private static let listed = 10

  /// What the run recorded of the sector's task in a pass.
  fileprivate func lines(ofPass pass: Int) -> [String] {
    let tried = attempts.filter { $0.pass == pass }
    var lines = tried.suffix(Self.listed).map { attempt in
      let end =
        switch attempt.ending {
        case .failed: "failed"
        case .lost: "was lost with its system"
        case .withdrawn: "was withdrawn"
        case .done, .none: "has no end: its process died, or still runs"
        }
      return "on \(attempt.system): \(end)" + (attempt.reason.map { ": \($0)" } ?? "")
    }
    if let givenUp, givenUp.pass == pass {
      if tried.isEmpty {
        lines += givenUp.story.failures.suffix(Self.listed).map { "on \($0.system): \($0.reason)" }
      }
      lines.append("gave up after \(givenUp.story.attempts) attempts")
    }
    if let done = done.first(where: { $0.pass == pass }) {
      lines.append("on \(done.system): done in \((done.seconds ?? 0).inMilliseconds) s")
    }
    return lines
  }
}
