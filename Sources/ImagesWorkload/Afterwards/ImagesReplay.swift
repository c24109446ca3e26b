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

  package var given: [String] {
    [("--image", image), ("--weight", weight)].filter { $0.1 != nil }.map(\.0)
  }

  package var readFiles: [FileOption] {
    [
      ("image", image.map { ImageName($0).path }), ("weight", weight.map { ImageName($0).path }),
    ]
  }

  package func job(of task: RecordedTask) async throws -> RecordedJob? {
    guard task.workload == Images.name else { return nil }
    let job = try await imageJob(task)
    return RecordedJob(
      job, firstTasks: job.firstTasks(task.id.pass),
      // What was compared with the run's image is what was read.
      checkFiles: { try [job.image, job.weights].compactMap { $0?.opened }.checkUnchanged() })
  }

  private func imageJob(_ task: RecordedTask) async throws -> ImageJob {
    if let part = task.part { return try await imageJob(of: part, task) }
    let settings = try task.settings(as: SourceScan.Settings.self)
    guard let recorded = try task.record(as: ImageRecord.self) else {
      throw ReplayError.noSettings(task.journal)
    }
    let (image, weights) = try await open(recorded.image, weights: recorded.weights, task)
    let job = try ImageJob(image: image, weights: weights, settings: settings)
    // No sector depends on them, and neither the header file nor the configuration is opened here.
    let differences = task.identity.differences(from: try await job.identity())
      .filter { !ImageJob.factsOfCatalogs.contains($0) }
    guard differences.isEmpty else {
      throw Fault.otherImage(image.path, differences: differences.joined(separator: ", "))
    }
    try check(settings, fit: image, task)
    return job
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
    guard found.contents == facts.contents,
      Self.ofSectors(found.settings) == Self.ofSectors(facts.settings)
    else {
      let what = found.contents == facts.contents ? "settings or weights" : "image contents"
      throw Fault.otherImage(image.path, differences: what)
    }
    try check(scan.settings, fit: image, task)
    guard job.sectorCount == part.sectors.count else { throw Self.ofAnotherImage(task) }
    return job
  }

  /// The settings that sectors depend on.
  private static func ofSectors(_ settings: [String]?) -> [String]? {
    settings?.filter { setting in
      !ImageJob.factsOfCatalogs.contains { setting.hasPrefix("\($0): ") }
    }
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
    case notOpened(String, String)
    case otherImage(String, differences: String)
    case noFile(String, option: String)

    var description: String {
      switch self {
      case .notOpened(let journal, let image):
        "\(journal): it does not hold the settings of \(image), which could not be opened: `skynet runs "
          + "\(journal)` says why"
      case .otherImage(let path, let differences):
        "\(path) is not what the run scanned (\(differences)): name the same file with --image FILE, and "
          + "its weights with --weight FILE"
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
