import Foundation
import SkyCatalog
import SkyPicture
import SkyScan

/// The outputs for a catalogue and a picture: files that were checked to be writable before the
/// scan, or standard output.
struct CatalogOutput {
  private let catalogs: [(file: OutputFile, format: CatalogFormat)]
  private let picture: OutputFile?

  /// - Throws: `OutputFileError` if a file cannot be written, or its ending names no format.
  init(_ options: CatalogOptions) throws {
    catalogs = try options.catalog.map { (try OutputFile(path: $0), try CatalogFormat(path: $0)) }
    picture = try options.picture.map { try OutputFile(path: $0) }
  }

  /// Outputs that are not checked before they are written.
  ///
  /// - Throws: `OutputFileError` if a name's ending is no format's.
  init(uncheckedCatalogs catalogs: [String], picture: String?) throws {
    self.catalogs = try catalogs.map { (OutputFile(unchecked: $0), try CatalogFormat(path: $0)) }
    self.picture = picture.map { OutputFile(unchecked: $0) }
  }

  /// Each output's path (`nil`: standard output), and whether its format can mark a partial
  /// catalogue.
  var places: [(path: String?, marksPartial: Bool)] {
    let files = catalogs.map { (path: $0.file.path as String?, $0.format.marksPartialTables) }
    let catalogs = files.isEmpty ? [(nil, CatalogFormat.csv.marksPartialTables)] : files
    return catalogs + (picture.map { [($0.path, true)] } ?? [])
  }

  /// The number of sources of the catalogue that was written, and a line for each file.
  struct Written {
    let sources: Int
    let lines: [String]
  }

  /// Writes the outputs one after the other. If one fails, those before it are complete, and those
  /// after it unchanged.
  ///
  /// - Parameters:
  ///   - systems: which system scanned which sector; the picture shows all others as not scanned.
  ///   - coverage: how many sectors were scanned, if not all.
  /// - Throws: `OutputFileError`; for sky positions and a picture also `FITSError`.
  @discardableResult func write(
    _ job: ImageJob, columns: [Column], systems: [Int: String], coverage: Coverage? = nil
  ) async throws -> Written {
    let table = try await job.table(columns, coverage: coverage)
    if catalogs.isEmpty {
      try StandardOutput.write(try CatalogFormat.csv.data(of: table))
    }
    for (file, format) in catalogs { try file.write(try format.data(of: table)) }
    let files = catalogs.map(\.file.path) + (picture.map { [$0.path] } ?? [])
    let lines = files.map { WrittenLine.sources($0, table.sources.count) }
    guard let picture else { return Written(sources: table.sources.count, lines: lines) }
    try picture.write(
      try await Picture(
        of: job.image, sources: table.sources, grid: job.settings.grid, systems: systems
      ).png())
    return Written(sources: table.sources.count, lines: lines)
  }
}
