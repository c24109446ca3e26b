import Foundation
import SkyCatalog
import SkyPicture
import SkyScan

/// Where a catalogue and a picture go: files that were found writable before the scan, or standard
/// output.
struct CatalogOutput {
  private let catalogs: [(file: OutputFile, format: CatalogFormat)]
  private let picture: OutputFile?

  /// - Throws: `OutputFileError` if a file cannot be written, or its ending says nothing.
  init(_ options: CatalogOptions) throws {
    catalogs = try options.catalog.map { (try OutputFile(path: $0), try CatalogFormat(path: $0)) }
    picture = try options.picture.map { try OutputFile(path: $0) }
  }

  /// Where each of them goes, and whether it can say there that it is partial.
  var places: [(path: String?, marksPartial: Bool)] {
    let files = catalogs.map { (path: $0.file.path as String?, $0.format.marksPartialTables) }
    let catalogs = files.isEmpty ? [(nil, CatalogFormat.csv.marksPartialTables)] : files
    return catalogs + (picture.map { [($0.path, true)] } ?? [])
  }

  /// Writes them, one after the other. If it throws, what it has written is complete, and the others
  /// are as they were.
  ///
  /// - Parameters:
  ///   - systems: which system scanned which sector; a picture shows the others as not scanned.
  ///   - coverage: how much was scanned, if not everything.
  /// - Throws: `OutputFileError`; for positions in the sky and a picture `FITSError` too.
  func write(
    _ job: ImageJob, columns: [Column], systems: [Int: String], coverage: Coverage? = nil
  ) async throws {
    let table = try await job.table(columns, coverage: coverage)
    if catalogs.isEmpty {
      try StandardOutput.write(try CatalogFormat.csv.data(of: table))
    }
    for (file, format) in catalogs { try file.write(try format.data(of: table)) }
    guard let picture else { return }
    try picture.write(
      try await Picture(
        of: job.image, sources: table.sources, grid: job.settings.grid, systems: systems
      ).png())
  }
}
