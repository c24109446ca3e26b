package import ArgumentParser
import Foundation
import SkyDetection
import SkyFITS
import SkyFiles
package import SkyNetCommand
import SkyNetCore
import SkyNetJournal
import SkyScan

/// Where the files of a run are that is run again, if they are no longer where they were.
package struct ImagesReplay: ReplayOptions {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The run's image, if it is no longer where it was; FILE[2] names one of several.",
      valueName: "file"), completion: .file())
  package var image: String?

  @Option(
    help: ArgumentHelp("The run's weight map, if it is no longer where it was.", valueName: "file"),
    completion: .file())
  package var weight: String?

  @Option(
    help: ArgumentHelp(
      "The background over which a share of an image was scanned, if it is no longer where it was.",
      valueName: "file"), completion: .file())
  package var backgroundFile: String?

  package var given: [String] {
    [("--image", image), ("--weight", weight), ("--background-file", backgroundFile)]
      .filter { $0.1 != nil }.map(\.0)
  }

  package var readFiles: [FileOption] {
    [
      ("image", image.map { ImageName($0).path }), ("weight", weight.map { ImageName($0).path }),
      ("background-file", backgroundFile),
    ]
  }

  package func job(of task: RecordedTask) async throws -> RecordedJob? {
    guard task.workload == Images.name else { return nil }
    if let sectors = task.setup.sectors {
      let job = try await batchJob(task, sectors)
      return RecordedJob(
        job, firstTasks: job.firstTasks, checkFiles: Self.check(job.image, job.weights))
    }
    let job = try await imageJob(task)
    return RecordedJob(
      job, firstTasks: job.firstTasks(task.id.pass),
      checkFiles: Self.check(job.image, job.weights))
  }

  /// What was compared with the run's image is what was read.
  private static func check(_ image: FITSImage, _ weights: FITSImage?) -> () throws -> Void {
    { try [image, weights].compactMap { $0?.opened }.checkUnchanged() }
  }

  private func imageJob(_ task: RecordedTask) async throws -> ImageJob {
    if let part = task.part { return try await imageJob(of: part, task) }
    let (image, weights, settings) = try await files(task)
    let job = try ImageJob(image: image, weights: weights, settings: settings)
    // No sector depends on the header file, which is not opened here.
    let differences = task.identity.differences(from: try await job.identity())
      .filter { $0 != ImageJob.headerFileFact }
    guard differences.isEmpty else {
      throw Fault.otherImage(image.path, differences: differences.joined(separator: ", "))
    }
    try check(settings, fit: image, task)
    return job
  }

  /// The job of a batch's step. Sectors that other engagements scan are none of its tasks.
  private func batchJob(_ task: RecordedTask, _ sectors: [Range<Int>]) async throws -> BatchJob {
    let (image, weights, settings) = try await files(task)
    let scan = try BatchScan(image: image, weights: weights, settings: settings)
    guard sectors.contains(where: { $0.contains(task.id.sector) }) else {
      throw Fault.notChosen(task.journal, task.id.sector)
    }
    // The background fits no other image, so the image is checked before it.
    let facts = try await ImageJob(image: image, weights: weights, settings: settings).identity()
    let others = task.identity.differences(from: facts).filter { name in
      facts.facts.contains { $0.name == name }
    }
    guard others.isEmpty else {
      throw Fault.otherImage(image.path, differences: others.joined(separator: ", "))
    }
    try check(settings, fit: image, task)
    guard let file = backgroundFile ?? ImageRecord(in: task.setup)?.background else {
      return try scan.job(sectors, over: nil) { _ in }
    }
    let document = try document(file, of: image)
    guard let job = try? scan.job(sectors, over: (file, document), { _ in }),
      task.identity.differences(from: try await job.identity()).isEmpty
    else { throw Fault.otherBackground(file) }
    return job
  }

  private func document(_ file: String, of image: FITSImage) throws -> BackgroundDocument {
    do {
      return try readDocument(
        file, as: BackgroundDocument.self, most: BackgroundDocument.mostBytes(of: image)
      ).document
    } catch let error as DocumentError where backgroundFile == nil {
      throw Fault.noFile("\(error.path): \(error.fault)", option: "background-file")
    }
  }

  /// The job of one image of a night.
  private func imageJob(of part: JobPart, _ task: RecordedTask) async throws -> ImageJob {
    guard let facts = NightFacts(part.facts), let scan = facts.scan else {
      throw Fault.notOpened(task.journal, part.name)
    }
    func file(_ file: NightFacts.Scan.File) -> ImageRecord.File {
      ImageRecord.File(path: file.path, image: file.image)
    }
    let (image, weights) = try await open(
      file(scan.image), weights: scan.weights.map(file), task)
    let job = try ImageJob(image: image, weights: weights, settings: scan.settings)
    let found = NightFacts(
      job, place: facts.place, contents: try await image.contentsHash(),
      weights: try await weights?.contentsHash())
    let settings = facts.settings?.filter { !$0.hasPrefix("\(ImageJob.headerFileFact): ") }
    guard found.contents == facts.contents, found.settings == settings else {
      let what = found.contents == facts.contents ? "settings or weights" : "image contents"
      throw Fault.otherImage(image.path, differences: what)
    }
    try check(scan.settings, fit: image, task)
    guard job.sectorCount == part.sectors.count else { throw Self.ofAnotherImage(task) }
    return job
  }

  private func check(
    _ settings: SourceScan.Settings, fit image: FITSImage, _ task: RecordedTask
  ) throws {
    guard (settings.grid.width, settings.grid.height) == (image.width, image.height),
      settings.coding == image.coding
    else { throw Self.ofAnotherImage(task) }
  }

  private static func ofAnotherImage(_ task: RecordedTask) -> ReplayError {
    .impossibleSettings(task.journal, "they are of another image")
  }

  // MARK: Files

  /// The image, its weights and the settings that the run recorded.
  private func files(
    _ task: RecordedTask
  ) async throws -> (FITSImage, weights: FITSImage?, SourceScan.Settings) {
    let settings = try task.settings(as: SourceScan.Settings.self)
    guard let recorded = ImageRecord(in: task.setup) else {
      throw ReplayError.noSettings(task.journal)
    }
    let (image, weights) = try await open(recorded.image, weights: recorded.weights, task)
    return (image, weights, settings)
  }

  private func open(
    _ image: ImageRecord.File, weights: ImageRecord.File?, _ task: RecordedTask
  ) async throws -> (FITSImage, weights: FITSImage?) {
    let opened = try await open(self.image, or: image, option: "image")
    if let weights {
      return (opened, try await open(weight, or: weights, option: "weight"))
    }
    guard weight == nil else {
      throw ReplayError.impossibleSettings(
        task.journal, "the run had no weights: leave --weight out")
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
      throw Fault.noFile("\(error)", option: option)
    }
  }

  /// Why a sector of an image cannot be run again.
  private enum Fault: Error, CustomStringConvertible {
    case notChosen(String, Int)
    case notOpened(String, String)
    case otherImage(String, differences: String)
    case otherBackground(String)
    case noFile(String, option: String)

    var description: String {
      switch self {
      case .notChosen(let journal, let sector):
        "\(journal): the run did not choose sector \(sector): `skynet runs \(journal)` prints those that it did"
      case .notOpened(let journal, let image):
        "\(journal): it does not hold the settings of \(image), which could not be opened: `skynet runs "
          + "\(journal)` says why"
      case .otherImage(let path, let differences):
        "\(path) is not what the run scanned (\(differences)): name the same file with --image FILE, and "
          + "its weights with --weight FILE"
      case .otherBackground(let path):
        "\(path) is not the background over which the run scanned: name that one with --background-file FILE"
      case .noFile(let reason, let option):
        "\(reason); if the file is elsewhere, name it with --\(option) FILE"
      }
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
