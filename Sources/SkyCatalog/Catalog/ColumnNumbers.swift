import SkyDetection
import SkyFITS

/// How a column's numbers are computed, of which type they are, and how a text shows them. `nil` is no
/// value.
enum ColumnNumbers: Sendable {
  case int16(@Sendable (CatalogRow) -> Int)
  case int32(@Sendable (CatalogRow) -> Int)
  /// A text has this many decimals; with `nil`, as many digits as tell the number from all others.
  case float32(places: Int? = nil, @Sendable (CatalogRow) -> Double?)
  case float64(places: Int? = nil, @Sendable (CatalogRow) -> Double?)

  func cell(_ row: CatalogRow) -> Cell {
    switch self {
    case .int16(let number), .int32(let number): .integer(number(row))
    case .float32(nil, let number): .single(number(row))
    case .float32(let places?, let number): .fixed(number(row), places: places)
    case .float64(nil, let number): .double(number(row))
    case .float64(let places?, let number): .fixed(number(row), places: places)
    }
  }

  /// The number itself, before a text rounds it.
  func number(_ row: CatalogRow) -> Double? {
    switch self {
    case .int16(let number), .int32(let number): Double(number(row))
    case .float32(_, let number), .float64(_, let number): number(row)
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

/// What a column's numbers are computed from.
struct CatalogRow {
  /// The row's number in the table, from 1.
  let number: Int
  let source: Source
  /// The source's ellipse, which is computed once for all columns.
  let ellipse: Source.Ellipse
  let shared: Context
  /// The index of the value in a column of vectors.
  var index = 0

  /// What all rows have in common. It is large, so rows have a reference to it.
  final class Context: Sendable {
    let values: CatalogContext

    init(_ values: CatalogContext) { self.values = values }
  }

  var context: CatalogContext {
    @inline(__always) get { shared.values }
  }

  /// The area of a pixel in the sky, in square arcseconds; `nil` if it is not known.
  var pixelArea: Double? {
    let scale = context.catalog.pixelScale
    return scale == 0 ? jacobian.map { $0.area * 3600 * 3600 } : scale * scale
  }

  /// The magnitude of a square arcsecond in which each pixel has a value.
  func surfaceBrightness(_ value: Double?) -> Double? {
    guard let value, let pixelArea, pixelArea > 0 else { return nil }
    return MeasuredFlux.magnitude(value / pixelArea, context.catalog.zeroPoint)
  }
}
