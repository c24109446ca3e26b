/// The type of a column's numbers, with ECSV's name for it.
enum ColumnType: String, Sendable {
  case int16, int32, float32, float64

  /// TFORMn of that many such numbers per row (FITS Standard 4.0, section 7.3.3).
  func form(_ count: Int) -> String {
    switch self {
    case .int16: "\(count)I"
    case .int32: "\(count)J"
    case .float32: "\(count)E"
    case .float64: "\(count)D"
    }
  }
}

extension TableColumn {
  var type: ColumnType {
    switch column {
    case .number, .isophotalArea, .area, .firstColumn, .firstRow, .lastColumn, .lastRow: .int32
    case .flags: .int16
    case .isophotalFlux, .isophotalFluxError, .apertureFlux, .kronFlux, .peak: .float32
    default: .float64
    }
  }
}
