import Foundation
import SkyScan

/// Where a catalogue goes: a file that was found writable before the scan, or standard output.
struct CatalogOutput {
  private let file: CatalogFile?

  /// - Throws: `CatalogFileError` if the file cannot be written.
  init(file: String?) throws {
    self.file = try file.map { try CatalogFile(path: $0) }
  }

  func write(_ catalog: Catalog) throws {
    guard let file else {
      return try FileHandle.standardOutput.write(contentsOf: Data(catalog.csv.utf8))
    }
    try file.write(catalog.csv)
  }
}
