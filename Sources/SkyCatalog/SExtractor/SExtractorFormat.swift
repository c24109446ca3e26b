/// A format of SExtractor's catalogues, by its name in CATALOG_TYPE.
package enum SExtractorFormat: String, CaseIterable, Sendable {
  case none = "NONE"
  case ascii = "ASCII"
  case asciiHead = "ASCII_HEAD"
  case asciiSkycat = "ASCII_SKYCAT"
  case asciiVOTable = "ASCII_VOTABLE"
  case ldac = "FITS_LDAC"
  case fits1 = "FITS_1.0"

  /// Those that exist here.
  package static let served: [SExtractorFormat] = [.none, .ascii, .asciiHead, .fits1, .ldac]

  /// Whether CATALOG_NAME STDOUT means standard output, and no file of that name.
  package var isText: Bool { self != .fits1 && self != .ldac }
}

extension Column {
  /// The column as `-dp` and the headers of SExtractor's catalogues describe it.
  package func asciiLine(after beginning: String) -> String {
    beginning + name.padded(to: 22) + " " + String(description.prefix(58)).padded(to: 58)
      + (unit.map { " [\($0)]" } ?? "")
  }
}

extension String {
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
