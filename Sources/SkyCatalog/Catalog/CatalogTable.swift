public import SkyDetection
import SkyFITS

/// A catalogue as a table: some measures of all sources, in order.
public struct CatalogTable: Sendable {
  /// What is in the table's columns.
  let columns: [TableColumn]
  /// Its rows.
  public let sources: [Source]
  private let facts: ImageFacts
  /// Of how much of the image it is; `nil` of all. A part is marked as one in the formats that can.
  package var partial: Coverage?

  init(_ sources: [Source], columns: [TableColumn], facts: ImageFacts) {
    self.sources = sources
    self.columns = columns
    self.facts = facts
  }

  public var rowCount: Int { sources.count }

  /// Calls with the cells of a row, in the order of the columns.
  func forEachCell(_ row: Int, _ body: (Cell) -> Void) {
    let source = sources[row]
    // Angles and roots are taken once for a row.
    let ellipse = source.ellipse
    for column in columns { body(cell(column, row, source, ellipse)) }
  }

  /// All cells of a column.
  func cells(of column: TableColumn) -> [Cell] {
    sources.enumerated().map { row, source in cell(column, row, source, source.ellipse) }
  }

  private func cell(
    _ column: TableColumn, _ row: Int, _ source: Source, _ ellipse: Ellipse
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

/// A column of a table: a measure, or one of several of its kind.
struct TableColumn: Hashable, Sendable {
  let column: Column
  /// Which of the apertures it is of.
  var index = 0
  /// Its aperture's diameter in pixels, of a flux within one.
  var aperture: Double?

  var name: String { index == 0 ? column.rawValue : "\(column.rawValue)_\(index)" }

  /// What a person is told of it, in at most 68 characters: a header card takes no more.
  var description: String {
    guard let aperture else { return column.description }
    let width = Int(exactly: aperture).map(String.init) ?? aperture.description
    return "\(column.description), \(width) pixels wide"
  }
}

/// What a table says in one place.
enum Cell: Hashable, Sendable {
  case integer(Int)
  /// With so many decimals; `nil` where there is none.
  case fixed(Double?, places: Int)
  /// With the digits of a 32-bit number; `nil` where there is none.
  case single(Double?)

  /// Appends it as in CSV: nothing where there is none.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .integer(let value): bytes.append(integer: value)
    case .fixed(let value?, let places): bytes.append(decimal: value, places: places)
    case .single(let value?): bytes.append(contentsOf: Float(value).description.utf8)
    case .fixed(nil, _), .single(nil): break
    }
  }
}

/// What is known of the image that sources are in.
struct ImageFacts: Sendable {
  /// How many photons make a count; 0 if that is not known, or endlessly many do.
  var gain: Double
  /// Of each source; empty if the image does not say.
  var positions: [SkyPosition?] = []

  /// The r.m.s. error of a source's isophotal flux: of the sky's noise, and of counting photons (the
  /// SExtractor manual, "Photometric errors").
  func error(of source: Source) -> Double {
    let photons = gain > 0 ? max(0, source.flux) / gain : 0
    return (source.variance + photons).squareRoot()
  }
}
