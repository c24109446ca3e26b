import SkyCatalog
import SkyFiles
import SkyNetCommand
import SkyNetCore
import SkyScan
import Synchronization

/// The outputs that have all images of a file: catalogues and check images. They are written once all images have ended,
/// so the images' tables and backgrounds stay in memory until then.
final class FileOutputs: Sendable {
  /// An image that has ended.
  struct Image: Sendable {
    /// Its number among the file's images, from 1.
    let number: Int
    let part: JobPart
    var row: NightRow
    /// What the outputs have of it; `nil` if they have nothing of it.
    var table: PrintedCatalog?
    /// What check images have of it.
    var checked: CheckedImage?
    /// The files that the table depends on.
    var inputs: [OpenedFile] = []
  }

  private let outputs: [PrintedOutput]
  private let checks: [CheckImageOutput]
  private let imageCount: Int
  private let ended = Mutex<[Image]>([])

  /// - Returns: `nil` if there are no such outputs.
  init?(_ outputs: [PrintedOutput], _ checks: [CheckImageOutput], imageCount: Int) {
    guard !outputs.isEmpty || !checks.isEmpty else { return nil }
    (self.outputs, self.checks, self.imageCount) = (outputs, checks, imageCount)
  }

  /// What check images need of an image whose scan has ended; `nil` if there are none.
  func checked(_ job: ImageJob) -> CheckedImage? { checks.isEmpty ? nil : CheckedImage(job) }

  /// Takes an image that has ended.
  ///
  /// - Returns: all images in their order if it was the last one.
  func take(_ image: Image) -> [Image]? {
    ended.withLock { ended in
      ended.append(image)
      guard ended.count == imageCount else { return nil }
      defer { ended = [] }
      return ended.sorted { $0.number < $1.number }
    }
  }

  /// Writes the outputs with the images that have tables. If none has, the files stay as they were.
  ///
  /// - Throws: ``ChangedFile`` if a file has changed since its image was read; `OutputFileError`.
  func write(_ images: [Image]) async throws -> WrittenFiles {
    let tables = images.compactMap(\.table)
    var written = WrittenFiles()
    guard !tables.isEmpty else { return written }
    for image in images { try image.inputs.checkUnchanged() }
    let sources = images.reduce(0) { $0 + ($1.table == nil ? 0 : $1.row.sources ?? 0) }
    for output in outputs {
      guard let file = try output.write(tables) else { continue }
      written.add(file, WrittenLine.sources(file.path, sources))
    }
    let checked = images.compactMap { $0.table == nil ? nil : $0.checked }
    try await checks.write(
      checked, areSeveral: imageCount > 1, from: images.flatMap(\.inputs), to: &written)
    return written
  }

  /// Makes the names of the files survive a power cut.
  ///
  /// - Throws: `OutputFileError`.
  func syncFolders() throws {
    try OutputFile.syncFolders(of: outputs.compactMap(\.file) + checks.map(\.file))
  }
}
