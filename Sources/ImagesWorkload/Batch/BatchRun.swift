import Foundation
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyNetCore
import SkyNetJournal
import SkyNetViews
import SkyScan

/// A step of a batch as an engagement: its systems scan some of an image's sectors, and the documents go into a file
/// for `skynet merge`.
struct BatchRun: WorkloadRun {
  let job: BatchJob
  private let output: String
  private let documents: DocumentStream
  private let files: [OpenedFile]
  private let references: FileReferences
  private let writesPartial: Bool
  private let journal: String?
  private let console = Console.standardError

  /// - Parameter output: the file that gets the documents.
  init(_ images: Images, _ options: RunOptions, output: String) async throws {
    let (image, step) = (images.named.image.first ?? "", images.batch.step)
    self.output = output
    writesPartial = images.incomplete.partial
    journal = options.recording.journal
    references = try images.roots.references(console)
    let (scan, background, inputs) = try await BatchScan.opened(
      image, images.scan, step.backgroundFile,
      writing: options.writtenFiles + images.writtenFiles)
    files = inputs
    let documents = try DocumentStream(file: output)
    self.documents = documents
    job = try scan.job(
      try images.batch.choice.sectors(of: scan.sectorCount),
      over: background.map { document in
        let file = step.backgroundFile ?? ""
        return (URL(fileURLWithPath: file).path, document)
      },
      references: references
    ) { try documents.append($0) }
    try options.systems.checkMemory(from: image, MemoryLimit.all, job.leastMemory)
  }

  var inputs: [RunSetup.Input] { files.map(RunSetup.Input.init) }

  var record: (any Encodable & Sendable)? {
    ImageRecord(job.image, job.weights, background: job.backgroundFile)
  }

  func page(_ options: RunOptions, words: RunWords) -> RunPage? {
    RunPage(options, of: job, words: words, grid: PictureGrid(job.settings.grid))
  }

  /// Of more shares than sectors some are empty.
  func hasWork() -> Bool { !job.firstTasks.isEmpty }

  func complete(_ engagement: JobEngagement<BatchJob>) async throws -> RunOutcome {
    defer { documents.abandon() }
    let tally = try await files.during {
      try await engagement.run().tally
    } abandoned: { wasStopped in
      console.line(wasStopped ? left(tally: nil) : PartialLine.left([(output, isThere)]))
    }
    return RunOutcome(
      tally: tally, written: PixelsLine.lines(references.bytes) + (try finish(tally)))
  }

  /// Gives the file its name if every sector has its document, or if a partial file is wanted.
  private func finish(_ tally: Tally) throws -> [String] {
    let isWhole = tally.completed == tally.total
    guard isWhole || writesPartial else {
      console.line(left(tally: tally))
      return []
    }
    try documents.complete()
    if !isWhole {
      console.line(
        "\(output) has \(tally.completed) of \(tally.total) sectors only; `skynet merge` names those that are missing"
      )
    }
    return [WrittenLine.documents(output, tally.completed)]
  }

  private func left(tally: Tally?) -> String {
    PartialLine.left(
      [(output, isThere)], tally, journal: journal, isPartialWanted: writesPartial)
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: output) }
}
