import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCluster
import SkyNetCommand
import SkyNetCore
import SkyNetJournal
import SkyScan
import Synchronization

/// Writes the outputs of each image of a night as soon as no task of it is left, several images at a time.
final class NightWriter: Sendable {
  /// How many images are written at a time: writing waits for the disk.
  private static let width = 4

  /// Images are compared and outputs written here.
  private let threads = BlockingThreads("skynet.night.outputs")
  private let opener: NightOpener
  private let supply: NightSupply
  private let systems: NightSystems
  private let writesPartial: Bool
  private let journal = Mutex<SQLiteJournal?>(nil)
  private let rows = Mutex<[NightRow]>([])
  private let lines = Mutex<[String]>([])
  private let summary: NightSummaryFile?

  /// - Parameter summary: gets a row for each image; `nil` if there is none.
  init(
    _ opener: NightOpener, _ supply: NightSupply, _ systems: NightSystems, writesPartial: Bool,
    _ summary: NightSummaryFile?
  ) {
    self.summary = summary
    self.opener = opener
    self.supply = supply
    self.systems = systems
    self.writesPartial = writesPartial
  }

  /// What became of the images so far, in the order in which they ended.
  var images: [NightRow] { rows.withLock { $0 } }

  /// A line for each output that has all images of a file.
  var wholeFileLines: [String] { lines.withLock { $0 } }

  /// The images' ends are recorded in this journal, until ``stopRecording()``.
  func record(in journal: SQLiteJournal?) { self.journal.withLock { $0 = journal } }

  /// Nothing more can be recorded. An image that is written from now on will be written again by a later process.
  func stopRecording() { journal.withLock { $0 = nil } }

  private enum Step: Sendable {
    /// The next image; `nil` if no more come.
    case came(FinishedImage?)
    case written
  }

  /// Writes images until no more come.
  ///
  /// - Throws: `OutputFileError`, at once, if an output cannot be written, which would happen to the next image, too.
  func run(_ images: AsyncStream<FinishedImage>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      if let summary {
        group.addTask { try await summary.run() }
      }
      try await write(images)
      group.cancelAll()
    }
  }

  private func write(_ images: AsyncStream<FinishedImage>) async throws {
    try await withThrowingTaskGroup(of: Step.self) { group in
      // The wait for an image is a child as well: the engagement waits for every image to be written, so after a
      // failure no further image may come.
      func awaitImage() {
        group.addTask {
          var iterator = images.makeAsyncIterator()
          return .came(await iterator.next())
        }
      }
      var (writing, isAwaiting, isOver) = (0, true, false)
      awaitImage()
      while let step = try await group.next() {
        switch step {
        case .came(let image):
          isAwaiting = false
          isOver = image == nil
          guard let image else { break }
          writing += 1
          group.addTask(executorPreference: threads) {
            try await self.write(image)
            return .written
          }
        case .written: writing -= 1
        }
        if !isAwaiting, !isOver, writing < Self.width {
          isAwaiting = true
          awaitImage()
        }
      }
    }
  }

  private func write(_ finished: FinishedImage) async throws {
    let share = systems.take(finished.part.sectors)
    let end = await opener.takeEnd(of: finished.part.name)
    var row = NightRow(finished.part, share)
    row.position = end?.position ?? 0
    if end?.wholeFile != nil { row.placeInFile = end?.placeInFile }
    var table: PrintedCatalog?
    if let image = finished.image, let end, let outputs = end.outputs {
      do {
        table = try await write(image, outputs, share, finished, &row)
      } catch let error as CancellationError {
        // The run was stopped: the image is left to a later process.
        await opener.giveBack(end, of: finished.part.name)
        throw error
      }
    } else if let outcome = NightOutcome(finished.part.outcome) {
      row.take(outcome)
    } else {
      row.reason = finished.failure ?? "not scanned"
    }
    if let file = end?.wholeFile {
      var image = FileOutputs.Image(
        number: end?.placeInFile.number ?? 1, part: finished.part, row: row, table: table)
      image.inputs = end?.outputs?.inputs ?? []
      image.checked = finished.image.flatMap { file.checked($0.job) }
      if let images = file.take(image) { try await write(file, images, &row) }
    } else if finished.part.outcome == nil, !row.isOpen {
      record(finished.part, row)
    }
    rows.withLock { $0.append(row) }
    await summary?.set(NightSummary.Row(row), at: row.position)
    supply.closed(finished.part)
  }

  /// - Returns: the image's table for outputs that have all images of its file; `nil` if it has none.
  private func write(
    _ image: NightImage, _ outputs: NightOutputs, _ share: NightSystems.Share,
    _ finished: FinishedImage, _ row: inout NightRow
  ) async throws -> PrintedCatalog? {
    do {
      try outputs.inputs.checkUnchanged()
      if let failure = finished.failure {
        row.reason = failure
        guard writesPartial else { return nil }
      }
      return PrintedCatalog(
        try await write(image, outputs, share, &row), of: image.job)
    } catch let error where error is OutputFileError || error is CancellationError {
      throw error
    } catch let change as ChangedFile {
      row.take(change, of: image.job.image.path)
    } catch {
      row.reason = "\(error)"
    }
    return nil
  }

  /// Writes the outputs that have all images of a file, which have ended.
  ///
  /// - Parameter row: the row of the image that ended last.
  private func write(
    _ file: FileOutputs, _ images: [FileOutputs.Image], _ row: inout NightRow
  ) async throws {
    // Earlier processes have finished all images, or none; see `PastImages.reopen(_:)`.
    let hasNews = images.contains { $0.table != nil }
    if hasNews, images.contains(where: { $0.row.isPast && $0.row.reason == nil }) {
      row.reason =
        "the journal has no tables of images of the file that are done: run it without the journal"
      return
    }
    var files: [WrittenFile] = []
    do {
      let written = try await file.write(images)
      files = written.files
      lines.withLock { $0 += written.lines }
    } catch let change as ChangedFile {
      row.take(change, of: nil)
      return
    }
    guard isRecording else { return }
    if !files.isEmpty { try file.syncFolders() }
    for image in images where image.part.outcome == nil && !image.row.isOpen {
      var row = image.row
      if row.reason == nil { row.outputs = (row.outputs ?? []) + files }
      record(image.part, row)
    }
  }

  private func write(
    _ image: NightImage, _ outputs: NightOutputs, _ share: NightSystems.Share,
    _ row: inout NightRow
  ) async throws -> CatalogTable {
    let coverage = Coverage(scanned: image.counts.count, of: image.job.sectorCount)
    let output = try CatalogOutput(unchecked: outputs)
    let written = try await output.write(
      image.job, columns: outputs.columns, systems: share.bySector, coverage: coverage)
    row.sources = written.sources
    guard row.reason == nil else { return written.table }
    row.counts = (0..<image.job.sectorCount).map { image.counts[$0] ?? 0 }
    guard isRecording else { return written.table }
    // The journal's word is on disk within 200 ms, and the new names are to be there before.
    try output.syncFolders()
    row.outputs = written.outputs.files
    return written.table
  }

  private var isRecording: Bool { journal.withLock { $0 != nil } }

  private func record(_ part: JobPart, _ row: NightRow) {
    journal.withLock { journal in
      guard let journal else { return }
      var part = part
      part.outcome = row.outcome.text
      journal.record(.part(part))
    }
  }
}
