public import Foundation

/// The formats of a catalogue, told apart by the ending of its file's name.
public enum CatalogFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values, with a line of names.
  case csv
  /// The same with types, units and descriptions, for astropy and TOPCAT.
  case ecsv
  /// A FITS binary table.
  case fits
  /// The sources' ellipses, for SAOImage DS9.
  case regions

  /// A name's ending counts in any case; a name without one, that of a device for example, means
  /// CSV.
  ///
  /// - Throws: ``OutputFileError`` if the ending is none of those known.
  public init(path: String) throws {
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "csv", "": self = .csv
    case "ecsv": self = .ecsv
    case "fits", "fit": self = .fits
    case "reg": self = .regions
    case let ending:
      throw OutputFileError(
        path: path,
        fault: "no catalogue's format ends in .\(ending); "
          + "end the name in .csv, .ecsv, .fits (or .fit) or .reg")
    }
  }

  /// Whether a table in this format can say that it is partial. Plain CSV has no place for it that
  /// its readers would not take for a row.
  public var marksPartialTables: Bool { self != .csv }

  /// A file's contents.
  ///
  /// - Throws: ``FITSError``, if a FITS table cannot be made.
  public func data(of table: CatalogTable) throws -> Data {
    switch self {
    case .csv: Data(table.csvBytes)
    case .ecsv: Data(table.ecsv.utf8)
    case .fits: try table.fits()
    case .regions: Data(table.regions.utf8)
    }
  }
}
