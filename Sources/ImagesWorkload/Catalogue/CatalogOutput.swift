import Foundation
import Logging
import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyPicture
import SkyScan

/// The outputs for a catalogue and a picture: files that were checked to be writable before the
/// scan, or standard output.
struct CatalogOutput {
  private let catalogs: [Catalog]
  private let picture: OutputFile?
  /// The check images of `skynet sex`.
  private let checks: [CheckImageOutput]

  private struct Catalog {
    /// `nil` is standard output.
    let file: OutputFile?
    let marksPartial: Bool
    /// Throws `InvalidScan` if there is no place for one of the columns.
    let check: @Sendable ([Column]) throws -> Void
    let data: @Sendable (CatalogTable, ImageJob) throws -> Data

    init(_ file: OutputFile?, _ format: CatalogFormat) {
      (self.file, marksPartial, check) = (file, format.marksPartialTables, format.check)
      data = { table, _ in try format.data(of: table) }
    }

    init(_ output: PrintedOutput) {
      let format = output.format
      (file, marksPartial, check) = (output.file, false, { _ in })
      data = { format.data(of: [PrintedCatalog($0, of: $1)]) }
    }
  }

  /// The files that the outputs depend on. Nothing is written if one of them has changed.
  var inputs: [OpenedFile] = []

  /// - Parameter format: the format of a configuration; `nil` if there is none.
  /// - Throws: `OutputFileError` if a file cannot be written, or nothing names its format.
  init(_ options: CatalogOptions, _ format: SExtractorFormat? = nil) throws {
    let named = try options.catalog.map { path in
      CatalogOptions.isPrinted(path)
        ? Catalog(try PrintedOutput(unchecked: path, format))
        : Catalog(OutputFile(unchecked: path), try CatalogFormat(path: path))
    }
    if let catalog = options.sextractor {
      catalogs = named + (PrintedOutput(catalog).map { [Catalog($0)] } ?? [])
    } else {
      catalogs = named.isEmpty ? [Catalog(nil, .csv)] : named
    }
    picture = try options.picture.map { try OutputFile(path: $0) }
    checks = (options.sextractor?.checkImages ?? []).map(CheckImageOutput.init(unchecked:))
    for case let file? in catalogs.map(\.file) + checks.map(\.file) {
      _ = try OutputFile(path: file.path)
    }
  }

  /// Outputs that are not checked before they are written.
  ///
  /// - Throws: `OutputFileError` if a name's ending is no format's.
  init(unchecked outputs: NightOutputs) throws {
    let files = try outputs.catalogs.map {
      Catalog(OutputFile(unchecked: $0), try CatalogFormat(path: $0))
    }
    catalogs =
      outputs.toStandardOutput
      ? [Catalog(nil, .csv)] : files + outputs.printed.map(Catalog.init)
    picture = outputs.picture.map { OutputFile(unchecked: $0) }
    checks = []
    inputs = outputs.inputs
  }

  /// Checks that the catalogues have places for columns.
  ///
  /// - Throws: `InvalidScan` if one has none.
  func check(_ columns: [Column]) throws {
    for catalog in catalogs { try catalog.check(columns) }
  }

  /// Each output's path (`nil`: standard output), and whether its format can mark a partial
  /// catalogue.
  var places: [(path: String?, marksPartial: Bool)] {
    let all =
      catalogs.map { ($0.file?.path, $0.marksPartial) } + checks.map { ($0.file.path, true) }
      + (picture.map { [($0.path, true)] } ?? [])
    return all.map { (path: $0 == "-" ? nil : $0, marksPartial: $1) }
  }

  /// What was written.
  struct Written {
    let table: CatalogTable
    /// The number of sources of the catalogue.
    var sources: Int { table.sources.count }
    fileprivate(set) var outputs = WrittenFiles()
  }

  /// Writes the outputs one after the other. If one fails, those before it are complete, and those
  /// after it unchanged.
  ///
  /// - Parameters:
  ///   - systems: which system scanned which sector; the picture shows all others as not scanned.
  ///   - coverage: how many sectors were scanned, if not all.
  /// - Throws: ``ChangedFile`` if an input has changed; `OutputFileError`; for sky positions and a picture also
  ///   `FITSError`.
  @discardableResult func write(
    _ job: ImageJob, columns: [Column], systems: [Int: String], coverage: Coverage? = nil
  ) async throws -> Written {
    if job.isMainlyConstant {
      Console.standardError.line(
        "\(job.image.path): most of the background is constant, or has too few values; the noise is "
          + "that of the rest, or 1 if there is none",
        level: .warning)
    }
    let table = try await job.table(columns, coverage: coverage)
    var written = Written(table: table)
    func put(_ data: Data, to file: OutputFile) throws {
      try inputs.checkUnchanged()
      try file.write(data)
      written.outputs.add(
        WrittenFile(path: file.path, size: data.count),
        WrittenLine.sources(file.path, written.sources))
    }
    for catalog in catalogs {
      let data = try catalog.data(table, job)
      if let file = catalog.file {
        try put(data, to: file)
      } else {
        try inputs.checkUnchanged()
        try StandardOutput.write(data)
      }
    }
    try await checks.write(
      [CheckedImage(job)].compactMap(\.self), areSeveral: false, from: inputs,
      to: &written.outputs)
    guard let picture else { return written }
    try put(
      try await Picture(
        of: job.image, sources: table.sources, grid: job.settings.grid, systems: systems
      ).png(), to: picture)
    return written
  }

  /// Makes the names of the files survive a power cut.
  ///
  /// - Throws: `OutputFileError`.
  func syncFolders() throws {
    try OutputFile.syncFolders(
      of: (catalogs.map(\.file) + checks.map(\.file) + [picture]).compactMap(\.self))
  }
}
