public import SkyDetection
import SkyFITS

/// A catalogue as a table: some measures of all sources, in order.
public struct CatalogTable: Sendable {
  /// The table's columns.
  let columns: [TableColumn]
  /// The sources, one for each row.
  public let sources: [Source]
  private let facts: ImageFacts
  /// The part of the image that the table covers; `nil` for all of it. Formats that can do so mark
  /// the table as partial.
  package var partial: Coverage?

  init(_ sources: [Source], columns: [TableColumn], facts: ImageFacts) {
    self.sources = sources
    self.columns = columns
    self.facts = facts
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

  /// All cells of a column.
  func cells(of column: TableColumn) -> [Cell] {
    sources.enumerated().map { row, source in cell(column, row, source, source.ellipse) }
  }

  private func cell(
    _ column: TableColumn, _ row: Int, _ source: Source, _ ellipse: Source.Ellipse
  ) -> Cell {
    switch column.column {
    case .number: .integer(row + 1)
    case .x: .fixed(source.x, places: 4)
    case .y: .fixed(source.y, places: 4)
    case .rightAscension: .fixed(facts.positions[row]?.rightAscension, places: 7)
    case .declination: .fixed(facts.positions[row]?.declination, places: 7)
    case .isophotalFlux: .single(source.flux)
    case .isophotalFluxError: .single(facts.error(of: source))
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
    let width = Int(exactly: aperture).map(String.init) ?? aperture.description
    return "\(column.description), \(width) pixels wide"
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

/// Facts about the sources' image.
struct ImageFacts: Sendable {
  /// The number of photons per count; 0 if it is unknown or infinite.
  var gain: Double
  /// The sky position of each source; empty if the image has none.
  var positions: [SkyPosition?] = []

  /// The r.m.s. error of a source's isophotal flux, from the sky's noise and from photon counting
  /// (the SExtractor manual, "Photometric errors").
  func error(of source: Source) -> Double {
    let photons = gain > 0 ? max(0, source.flux) / gain : 0
    return (source.variance + photons).squareRoot()
  }
}
