import CCFITSIO
import Foundation
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS

@Suite("FITS tables")
struct FITSTableTests {
  private let positions: [SkyPosition?] = [
    SkyPosition(rightAscension: 351.123456789, declination: -0.00000004), nil,
  ]

  private func table(rows: Int = 2) -> CatalogTable {
    let sources = (0..<rows).map { row in
      Source(
        component: PixelPlace(row: row, column: 3), part: 0, x: 4.00006, y: 1234.56789, xx: 4,
        yy: 4, xy: 0, flux: 0.1, variance: 16,
        isophotal: IsophotalMeasures(peak: 2.5, area: 9, isophotalArea: 7), xMin: 1, yMin: 2,
        xMax: 3, yMax: 4, flags: [.blended, .truncated], apertureFluxes: [5.5, 1e-9])
    }
    let columns = Column.usual.flatMap { column in
      column == .apertureFlux
        ? [
          TableColumn(column: column, index: 0, aperture: 5),
          TableColumn(column: column, index: 1, aperture: 8.5),
        ] : [TableColumn(column: column)]
    }
    return CatalogTable(
      sources, columns: columns,
      context: CatalogContext(DetectionSettings(), positions: positions))
  }

  /// Opens the table's unit and reads from it.
  private func read<Value>(
    _ data: Data, _ value: (UnsafeMutablePointer<fitsfile>, inout CInt) -> Value
  ) throws -> Value {
    let folder = try TemporaryFolder()
    let path = try folder.write("table.fits", [UInt8](data))
    var status: CInt = 0
    var opened: CFITSIO.File?
    // fits_open_diskfile in C.
    ffdkopn(&opened, path, READONLY, &status)
    let file = try #require(opened)
    #expect(CFITSIO.move(file, toUnit: 2, &status) == BINARY_TBL)
    let result = value(file, &status)
    CFITSIO.close(file, &status)
    #expect(status == 0)
    return result
  }

  @Test("A stamp has two sides, also one of a single row", arguments: [(5, 1), (1, 1), (3, 4)])
  func stampSides(width: Int, height: Int) throws {
    var settings = DetectionSettings()
    settings.stamp = DetectionSettings.Stamp(width: width, height: height)
    let table = CatalogTable([], [.stamp], context: CatalogContext(settings))
    let bytes = PrintedCatalog(table.printed, imageHeader: "", extraction: ExtractionHeader())
    for data in [SExtractorFormat.ldac.data(of: [bytes]), try table.fits()] {
      let text = String(decoding: data, as: UTF8.self).filter { $0 != " " }
      #expect(text.contains("TDIM1='(\(width),\(height))'"))
    }
  }

  @Test("A FITS table's cells are the numbers of the text tables")
  func cells() throws {
    let table = table()
    let text = table.csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    // The columns of a vector are elements of one field.
    var field = 0
    for column in table.columns.indices {
      let element = table.columns[column].index
      if element == 0 { field += 1 }
      let cells = try read(try table.fits()) { file, status in
        [LONGLONG(1), 2].map { row in
          var (cell, anyMissing) = (0.0, CInt(0))
          ffgcvd(
            file, CInt(field), row, LONGLONG(element + 1), 1, 0, &cell, &anyMissing, &status)
          return cell
        }
      }
      for (row, cell) in cells.enumerated() {
        let number = Double(text[row + 1][column]) ?? .nan
        let isSingle = table.columns[column].column.numbers.type.datatype == "float32"
        let same = isSingle ? Double(Float(number)) : number
        #expect(cell == same || cell.isNaN && same.isNaN, "\(text[0][column])")
      }
    }
  }

  @Test("A FITS table's columns have names, types, units and descriptions")
  func columns() throws {
    let table = table()
    let cards = try read(try table.fits()) { file, status in
      [
        "EXTNAME", "TTYPE8", "TFORM1", "TFORM4", "TFORM8", "TFORM19", "TUNIT4", "TUNIT10", "TTYPE9",
        "TCOMM8",
      ]
      .map { keyword in
        var value = [CChar](repeating: 0, count: 80)
        ffgkys(file, keyword, &value, nil, &status)
        return String(decoding: value.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      }
    }
    #expect(
      cards == [
        "OBJECTS", "FLUX_APER", "1J", "1D", "2E", "1I", "deg", "pixel**2", "FLUX_MAX",
        "flux within circles, 5, 8.5 pixels wide",
      ])
  }

  @Test("The same catalogue gives the same bytes")
  func sameBytes() throws {
    let data = try table().fits()
    #expect(data.count % 2880 == 0)
    #expect(try table().fits() == data)
  }

  @Test(
    "A FITS table has any number of rows",
    arguments: [0, 30_000])
  func rowCount(rows: Int) throws {
    let settings = DetectionSettings()
    var catalog = Catalog()
    catalog.add(
      (0..<rows).map { row in
        Source(
          component: PixelPlace(row: row, column: 3), part: 0, x: 4, y: Double(row), xx: 4, yy: 4,
          xy: 0, flux: 1, variance: 1,
          isophotal: IsophotalMeasures(peak: 1, area: 9, isophotalArea: 7), xMin: 1, yMin: 1,
          xMax: 1, yMax: 1, flags: [], apertureFluxes: [1])
      })
    let data = try catalog.table(Column.usual, settings: settings).fits()
    let (count, last) = try read(data) { file, status in
      var (count, last) = (LONGLONG(0), [0.0])
      ffgnrwll(file, &count, &status)
      if rows > 0 { ffgcvd(file, 3, LONGLONG(rows), 1, 1, 0, &last, nil, &status) }
      return (Int(count), last[0])
    }
    #expect(count == rows && last == Double(max(0, rows - 1)))
  }

  /// A FITS card has room for 68 characters, and ECSV puts them between quotes.
  @Test("Every column's description fits into a card")
  func descriptions() {
    for column in table().columns {
      #expect(column.description.count <= 68 && !column.description.contains("'"))
    }
    let many = (0..<64).map { TableColumn(column: .apertureFlux, index: $0, aperture: 1000.125) }
    #expect(TableColumn.description(of: many).count <= 68)
  }
}
