public import Foundation
import SkyDetection
import SkyFiles

/// A format of a catalogue. The extension of a file's name tells it.
public enum CatalogFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values, with a line of names.
  case csv
  /// CSV with types, units and descriptions, for astropy and TOPCAT.
  case ecsv
  /// A FITS binary table.
  case fits
  /// The sources' ellipses, for SAOImage DS9.
  case regions

  /// The format for a file name's extension, in upper or lower case. A name without an extension,
  /// such as a device's, means CSV.
  ///
  /// - Throws: ``OutputFileError`` if no format has the extension.
  package init(path: String) throws {
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

  /// Whether a table in this format can be marked as partial. Plain CSV has no place for such a
  /// mark: its readers would read it as a row.
  package var marksPartialTables: Bool { self != .csv }

  /// Checks that the format has a place for columns.
  ///
  /// - Throws: `InvalidScan` if it has none for one of them.
  package func check(_ columns: [Column]) throws {
    guard self == .csv || self == .ecsv, let column = columns.first(where: \.isStamp) else {
      return
    }
    throw InvalidScan(
      "\(column.rawValue) has an image in each row, and a .\(rawValue) file has no place for it; write a .fits "
        + "file, or leave the column out")
  }

  /// The contents of a catalogue file.
  ///
  /// - Throws: `FITSError` if a FITS table cannot be made; `InvalidScan` if the format has no place for a column.
  public func data(of table: CatalogTable) throws -> Data {
    try check(table.columns.map(\.column))
    return switch self {
    case .csv: Data(table.csvBytes)
    case .ecsv: Data(table.ecsv.utf8)
    case .fits: try table.fits()
    case .regions: Data(table.regions.utf8)
    }
  }
}
