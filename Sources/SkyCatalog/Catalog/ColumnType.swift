/// The type of a column's numbers, with ECSV's name for it.
enum ColumnType: String, Sendable {
  case int16, int32, float32, float64

  /// TFORMn of one such number per row (FITS Standard 4.0, section 7.3.3).
  var form: String {
    switch self {
    case .int16: "1I"
    case .int32: "1J"
    case .float32: "1E"
    case .float64: "1D"
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
