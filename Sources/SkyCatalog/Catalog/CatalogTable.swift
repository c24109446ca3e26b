public import SkyDetection
import SkyFITS

/// A catalogue as a table: some measures of all sources, in order.
public struct CatalogTable: Sendable {
  /// The table's columns.
  let columns: [TableColumn]
  /// The columns in SExtractor's formats.
  var printedColumns: [TableColumn]
  /// The sources, one for each row.
  public let sources: [Source]
  private let shared: CatalogRow.Context
  /// The part of the image that the table covers; `nil` for all of it. Formats that can do so mark
  /// the table as partial.
  package var partial: Coverage?

  init(_ sources: [Source], columns: [TableColumn], context: CatalogContext) {
    self.sources = sources
    self.columns = columns
    printedColumns = columns
    shared = CatalogRow.Context(context)
  }

  var context: CatalogContext { shared.values }

  /// The side of a pixel in arcseconds, for headers; 0 if it is not known.
  package var pixelScale: Double { context.pixelScale }

  /// The number of sources.
  public var rowCount: Int { sources.count }

  /// Calls the closure with the cells of a row, in the order of the columns.
  func forEachCell(_ row: Int, _ body: (Cell) -> Void) {
    var row = self.row(row)
    for column in columns { body(column.cell(&row)) }
  }

  /// All cells of columns, row by row.
  func cells(of columns: [TableColumn]) -> [Cell] {
    var cells: [Cell] = []
    cells.reserveCapacity(rowCount * columns.count)
    for row in sources.indices {
      var row = self.row(row)
      for column in columns { cells.append(column.cell(&row)) }
    }
    return cells
  }

  func row(_ index: Int) -> CatalogRow {
    CatalogRow(
      number: index + 1, source: sources[index], ellipse: sources[index].ellipse, shared: shared)
  }
}

/// A column of a table: a measure, or one of several measures of a kind.
///
/// It is a class because each cell asks its column: copies of a struct took a third of the time in which a
/// table is written.
final class TableColumn: Sendable {
  let column: Column
  /// The index of the column's aperture, or of its fraction.
  let index: Int
  /// The diameter of the column's aperture, in pixels; `nil` for a measure without one.
  let aperture: Double?
  /// The column's fraction of a flux; `nil` for a measure without one.
  let fraction: Double?

  init(column: Column, index: Int = 0, aperture: Double? = nil, fraction: Double? = nil) {
    (self.column, self.index) = (column, index)
    (self.aperture, self.fraction) = (aperture, fraction)
  }

  /// The column's cell of a row. Setting the row's index takes less time than a copy of the row.
  func cell(_ row: inout CatalogRow) -> Cell {
    row.index = index
    return column.numbers.cell(row)
  }

  var name: String { index == 0 ? column.name : "\(column.name)_\(index)" }

  /// The description in a table's header. It has at most 68 characters, because a FITS card has no
  /// more room.
  var description: String {
    let place = aperture.map { "\(Self.text($0)) pixels wide" } ?? fraction.map { Self.text($0) }
    let whole = column.description + (place.map { ", \($0)" } ?? "")
    return whole.count <= Self.room ? whole : column.description
  }

  /// The description of a vector. It has at most 68 characters, too.
  static func description(of vector: [TableColumn]) -> String {
    let first = vector[0]
    let isFlux = first.column == .apertureFlux
    let noun = isFlux ? "flux within" : first.column.description
    let places = vector.compactMap { $0.aperture ?? $0.fraction }.map(text)
    let end = first.aperture == nil ? "" : " pixels wide"
    let all =
      noun + (isFlux ? " circles, " : ", ") + places.joined(separator: ", ") + end
    if all.count <= room { return all }
    guard isFlux else { return noun }
    return "\(noun) \(places.count) circles, \(places[0]) to \(places[places.count - 1])\(end)"
  }

  private static let room = 68

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
  /// A number with all of its digits; `nil` for no value.
  case double(Double?)

  /// Appends the cell as in CSV; nothing for no value.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .integer(let value): bytes.append(integer: value)
    case .fixed(let value?, let places): bytes.append(decimal: value, places: places)
    case .single(let value?): bytes.append(contentsOf: Float(value).description.utf8)
    case .double(let value?): bytes.append(contentsOf: value.description.utf8)
    case .fixed(nil, _), .single(nil), .double(nil): break
    }
  }
}
