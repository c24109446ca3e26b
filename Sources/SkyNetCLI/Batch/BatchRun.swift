import Foundation
import SkyFITS
import SkyNetCore
import SkyNetViews
import SkyScan

/// A step of a batch as an engagement: its systems scan some of an image's sectors, and the documents go into a file
/// for `skynet merge`.
struct BatchRun {
  private let images: Images
  private let options: RunOptions
  private let image: String
  private let output: String
  private let console = Console.standardError

  /// - Parameter output: the file that gets the documents.
  init(_ images: Images, _ options: RunOptions, output: String) {
    self.images = images
    self.options = options
    image = images.named.image.first ?? ""
    self.output = output
  }

  /// - Throws: `ExitCode` unless every chosen sector was scanned.
  func run() async throws {
    let (references, documents, job, inputs) = try await prepare()
    defer { documents.abandon() }
    let page = RunPage(
      options.page, weights: [1], localSlots: options.systems.localSlots,
      grid: PictureGrid(job.settings.grid))
    try await EngageRun(options, of: Images.self, page).run(
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
      let step = images.batch.step
      let references = try images.roots.references(console)
      let (scan, background, inputs) = try await BatchScan.opened(
        image, images.scan, step.backgroundFile,
        writing: options.writtenFiles + images.writtenFiles)
      let documents = try DocumentStream(file: output)
      let job = try scan.job(
        try images.batch.choice.sectors(of: scan.sectorCount),
        over: background.map { document in
          let file = step.backgroundFile ?? ""
          return (URL(fileURLWithPath: file).path, document)
        },
        references: references
      ) { try documents.append($0) }
      try options.systems.checkMemory(from: image, MemoryLimit.all, job.leastMemory)
      return (references, documents, job, inputs)
    } catch {
      throw fail(error)
    }
  }

  /// Gives the file its name if every sector has its document, or if a partial file is wanted.
  private func finish(_ documents: DocumentStream, _ tally: Tally) throws -> [String] {
    let isWhole = tally.completed == tally.total
    guard isWhole || images.incomplete.partial else {
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
      [(output, isThere)], tally, journal: options.recording.journal,
      isPartialWanted: images.incomplete.partial)
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: output) }
}
