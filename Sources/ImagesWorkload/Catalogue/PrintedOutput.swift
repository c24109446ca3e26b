import Foundation
import SkyCatalog
import SkyFiles
import SkyNetCommand

/// The place of a catalogue in one of SExtractor's formats, which holds all images of a file.
struct PrintedOutput: Sendable {
  /// `nil` is standard output.
  let file: OutputFile?
  let format: SExtractorFormat

  /// - Parameters:
  ///   - path: the catalogue's path. Its ending is no format's of SkyNet.
  ///   - format: the format that a configuration names; `nil` if there is no configuration.
  /// - Throws: `OutputFileError` if nothing names a format.
  init(unchecked path: String, _ format: SExtractorFormat?) throws {
    guard let format else {
      // It says which endings there are.
      _ = try CatalogFormat(path: path)
      throw OutputFileError(path: path, fault: "its format is not known")
    }
    guard format != .none else {
      throw OutputFileError(
        path: path,
        fault: "CATALOG_TYPE is NONE, which is no format; it may be \(SExtractorFormat.listed)")
    }
    (file, self.format) = (OutputFile(unchecked: path), format)
  }

  /// The catalogue of `skynet sex`; `nil` if it writes none.
  init?(_ catalog: SExtractorCatalog) {
    guard catalog.format != .none else { return nil }
    (file, format) = (catalog.path.map { OutputFile(unchecked: $0) }, catalog.format)
  }

  /// Writes the catalogue.
  ///
  /// - Parameter images: the images' tables, in their order.
  /// - Returns: the file that was written; `nil` for standard output.
  /// - Throws: `OutputFileError`.
  func write(_ images: [PrintedCatalog]) throws -> WrittenFile? {
    let data = format.data(of: images)
    guard let file else {
      try StandardOutput.write(data)
      return nil
    }
    try file.write(data)
    return WrittenFile(path: file.path, size: data.count)
  }
}
