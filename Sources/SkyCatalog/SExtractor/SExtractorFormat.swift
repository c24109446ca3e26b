/// A format of SExtractor's catalogues, by its name in CATALOG_TYPE.
package enum SExtractorFormat: String, CaseIterable, Codable, Sendable {
  case none = "NONE"
  case ascii = "ASCII"
  case asciiHead = "ASCII_HEAD"
  case asciiSkycat = "ASCII_SKYCAT"
  case asciiVOTable = "ASCII_VOTABLE"
  case ldac = "FITS_LDAC"
  case fits1 = "FITS_1.0"

  /// Those that exist here.
  package static let served: [SExtractorFormat] = [.none, .ascii, .asciiHead, .fits1, .ldac]

  /// Those that are written, in words.
  package static let listed = served.filter { $0 != .none }.map(\.rawValue).joined(separator: ", ")

  /// Whether CATALOG_NAME STDOUT means standard output, and no file of that name.
  package var isText: Bool { self != .fits1 && self != .ldac }
}

extension Column {
  /// The column as `-dp` describes it.
  package var asciiLine: String {
    "#" + PrintedTable.Field.line(name, description, unit: unit) + "\n"
  }
}
