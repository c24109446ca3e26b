import Foundation
import SkyFITS
import SkyNetCore
import SkyNetViews
import SkyScan

/// A step of a batch as an engagement: its systems scan some of an image's sectors, and the documents go into a file
/// for `skynet merge`.
struct BatchRun {
  private let command: EngageCommand
  private let image: String
  private let options: ImageOptions
  private let batch: EngageBatchOptions
  private let output: String
  private let console = Console.standardError

  /// - Parameter output: the file that gets the documents.
  init(
    _ command: EngageCommand, _ image: String, _ options: ImageOptions,
    _ batch: EngageBatchOptions, output: String
  ) {
    self.command = command
    self.image = image
    self.options = options
    self.batch = batch
    self.output = output
  }

  /// - Throws: `ExitCode` unless every chosen sector was scanned.
  func run() async throws {
    let (references, documents, job, inputs) = try await prepare()
    defer { documents.abandon() }
    let page = RunPage(
      command.page, weights: [1], localSlots: command.systems.localSlots,
      grid: PictureGrid(job.settings.grid))
    try await EngageRun(command, page).run(
      job,
      RunHooks(
        inputs: inputs,
        // Of more shares than sectors some are empty.
        hasWork: { !job.firstTasks.isEmpty },
        finish: { _, tally in
          FinalLines(usual: PixelsLine.lines(references.bytes) + (try finish(documents, tally)))
        },
        aborted: { wasStopped in
          console.line(
            wasStopped ? left(tally: nil) : PartialLine.left([(output, isThere)]))
        }))
  }

  private func prepare() async throws -> (FileReferences, DocumentStream, BatchJob, [OpenedFile]) {
    do {
      let references = try command.imaging.roots.references(console)
      let (scan, background, inputs) = try await BatchScan.opened(
        image, options, batch.step.backgroundFile, writing: command.outputs)
      let documents = try DocumentStream(file: output)
      let job = try scan.job(
        try batch.choice.sectors(of: scan.sectorCount),
        over: background.map { document in
          let file = batch.step.backgroundFile ?? ""
          return (URL(fileURLWithPath: file).path, document)
        },
        references: references
      ) { try documents.append($0) }
      try command.checkMemory(from: image, MemoryLimit.all, job.leastMemory)
      return (references, documents, job, inputs)
    } catch {
      throw fail(error)
    }
  }

  /// Gives the file its name if every sector has its document, or if a partial file is wanted.
  private func finish(_ documents: DocumentStream, _ tally: Tally) throws -> [String] {
    let isWhole = tally.completed == tally.total
    guard isWhole || command.cataloguing.partial else {
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
      [(output, isThere)], tally, journal: command.journal.file,
      isPartialWanted: command.cataloguing.partial)
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: output) }
}
