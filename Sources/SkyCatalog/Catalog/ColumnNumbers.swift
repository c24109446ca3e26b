import SkyDetection
import SkyFITS

/// How a column's numbers are computed, of which type they are, and how a text shows them. `nil` is no
/// value.
enum ColumnNumbers: Sendable {
  case int16(@Sendable (CatalogRow) -> Int)
  case int32(@Sendable (CatalogRow) -> Int)
  /// A text has this many decimals; with `nil`, as many digits as tell the number from all others.
  case float32(places: Int? = nil, @Sendable (CatalogRow) -> Double?)
  /// A text has this many decimals.
  case float64(places: Int, @Sendable (CatalogRow) -> Double?)

  func cell(_ row: CatalogRow) -> Cell {
    switch self {
    case .int16(let number), .int32(let number): .integer(number(row))
    case .float32(nil, let number): .single(number(row))
    case .float32(let places?, let number): .fixed(number(row), places: places)
    case .float64(let places, let number): .fixed(number(row), places: places)
    }
  }

  var type: NumberType {
    switch self {
    case .int16: .int16
    case .int32: .int32
    case .float32: .float32
    case .float64: .float64
    }
  }
}

/// The type of a column's numbers in binary tables, with its letter in TFORMn (FITS Standard 4.0,
/// section 7.3.3).
enum NumberType: Character, Sendable {
  case int16 = "I"
  case int32 = "J"
  case float32 = "E"
  case float64 = "D"

  /// ECSV's name for the type.
  var datatype: String {
    switch self {
    case .int16: "int16"
    case .int32: "int32"
    case .float32: "float32"
    case .float64: "float64"
    }
  }
}

/// What a column's numbers are computed from.
struct CatalogRow {
  /// The row's number in the table, from 1.
  let number: Int
  let source: Source
  /// The source's ellipse, which is computed once for all columns.
  let ellipse: Source.Ellipse
  /// The source's sky position; `nil` if it has none.
  let position: SkyPosition?
  /// The index of the value in a column of vectors.
  var index = 0
}
