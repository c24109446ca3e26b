public import SkyDetection
import SkyFITS

/// A catalogue as a table: some measures of all sources, in order.
public struct CatalogTable: Sendable {
  /// The table's columns.
  let columns: [TableColumn]
  /// The sources, one for each row.
  public let sources: [Source]
  /// The sky position of each source; empty if the image has none.
  private let positions: [SkyPosition?]
  /// The part of the image that the table covers; `nil` for all of it. Formats that can do so mark
  /// the table as partial.
  package var partial: Coverage?

  init(_ sources: [Source], columns: [TableColumn], positions: [SkyPosition?]) {
    self.sources = sources
    self.columns = columns
    self.positions = positions
  }

  /// The number of sources.
  public var rowCount: Int { sources.count }

  /// Calls the closure with the cells of a row, in the order of the columns.
  func forEachCell(_ row: Int, _ body: (Cell) -> Void) {
    let source = sources[row]
    // The ellipse is computed once per row.
    let ellipse = source.ellipse
    for column in columns { body(cell(column, row, source, ellipse)) }
  }

  /// All cells of columns, row by row.
  func cells(of columns: [TableColumn]) -> [Cell] {
    var cells: [Cell] = []
    cells.reserveCapacity(rowCount * columns.count)
    for (row, source) in sources.enumerated() {
      let ellipse = source.ellipse
      for column in columns { cells.append(cell(column, row, source, ellipse)) }
    }
    return cells
  }

  private func cell(
    _ column: TableColumn, _ row: Int, _ source: Source, _ ellipse: Source.Ellipse
  ) -> Cell {
    switch column.column {
    case .number: .integer(row + 1)
    case .x: .fixed(source.x, places: 4)
    case .y: .fixed(source.y, places: 4)
    case .rightAscension: .fixed(positions[row]?.rightAscension, places: 7)
    case .declination: .fixed(positions[row]?.declination, places: 7)
    case .isophotalFlux: .single(source.flux)
    case .isophotalFluxError: .single(source.variance.squareRoot())
    case .apertureFlux: .single(source.apertureFluxes[column.index])
    case .kronFlux: .single(source.kron?.flux)
    case .kronRadius: .fixed(source.kron?.radius, places: 2)
    case .peak: .single(Double(source.peak))
    case .isophotalArea: .integer(Int(source.isophotalArea))
    case .area: .integer(Int(source.area))
    case .semiMajorAxis: .fixed(ellipse.semiMajorAxis, places: 4)
    case .semiMinorAxis: .fixed(ellipse.semiMinorAxis, places: 4)
    case .angle: .fixed(ellipse.angle, places: 4)
    case .ellipticity: .fixed(ellipse.ellipticity, places: 4)
    case .firstColumn: .integer(Int(source.xMin))
    case .firstRow: .integer(Int(source.yMin))
    case .lastColumn: .integer(Int(source.xMax))
    case .lastRow: .integer(Int(source.yMax))
    case .flags: .integer(Int(source.flags.rawValue))
    }
  }
}

/// A column of a table: a measure, or one of several measures of a kind.
struct TableColumn: Hashable, Sendable {
  let column: Column
  /// The index of the column's aperture.
  var index = 0
  /// The diameter of the column's aperture, in pixels; `nil` for a measure without one.
  var aperture: Double?

  var name: String { index == 0 ? column.rawValue : "\(column.rawValue)_\(index)" }

  /// The description in a table's header. It has at most 68 characters, because a FITS card has no
  /// more room.
  var description: String {
    guard let aperture else { return column.description }
    return "\(column.description), \(Self.text(aperture)) pixels wide"
  }

  /// The description of a vector. It has at most 68 characters, too.
  static func description(of vector: [TableColumn]) -> String {
    let widths = vector.compactMap(\.aperture).map(text)
    let all = "flux within circles, \(widths.joined(separator: ", ")) pixels wide"
    return all.count <= 68
      ? all
      : "flux within \(widths.count) circles, \(widths[0]) to \(widths[widths.count - 1]) pixels wide"
  }

  private static func text(_ width: Double) -> String {
    Int(exactly: width).map(String.init) ?? width.description
  }
}

/// The contents of one place in a table.
enum Cell: Hashable, Sendable {
  case integer(Int)
  /// A number with this many decimals (`places`); `nil` for no value.
  case fixed(Double?, places: Int)
  /// A number with the digits of a 32-bit float; `nil` for no value.
  case single(Double?)

  /// Appends the cell as in CSV; nothing for no value.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .integer(let value): bytes.append(integer: value)
    case .fixed(let value?, let places): bytes.append(decimal: value, places: places)
    case .single(let value?): bytes.append(contentsOf: Float(value).description.utf8)
    case .fixed(nil, _), .single(nil): break
    }
  }
}
