import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("Catalogues")
struct CatalogTests {
  private func source(row: Int, column: Int, part: Int = 0, flux: Double = 10) -> Source {
    Source(
      component: PixelPlace(row: row, column: column), part: part, x: Double(column + 1),
      y: Double(row + 1), xx: 4, yy: 4, xy: 0, flux: flux,
      variance: 16, isophotal: IsophotalMeasures(peak: 2.5, area: 9, isophotalArea: 7), xMin: 1,
      yMin: 2, xMax: 3, yMax: 4, flags: [.blended, .truncated], apertureFluxes: [5.5])
  }

  @Test("Rows are sorted and numbered")
  func rows() throws {
    var catalog = Catalog()
    catalog.add([
      source(row: 2, column: 5), source(row: 2, column: 1, part: 1),
      source(row: 1, column: 9, flux: 1e-9), source(row: 2, column: 1),
    ])
    let settings = DetectionSettings()
    let columns: [Column] = [
      .number, .x, .y, .rightAscension, .isophotalFlux, .isophotalFluxError, .apertureFlux, .peak,
      .isophotalArea, .semiMajorAxis, .semiMinorAxis, .angle, .ellipticity, .elongation, .xMin,
      .yMax, .flags,
    ]
    let rest = "4.0,5.5,2.5,7,2.0000,2.0000,45.0000,0.0000,1.000,1,4,10"
    #expect(
      catalog.table(columns, settings: settings).csv == """
        NUMBER,X_IMAGE,Y_IMAGE,FLUX_ISO,FLUXERR_ISO,FLUX_APER,FLUX_MAX,ISOAREA_IMAGE,A_IMAGE,\
        B_IMAGE,THETA_IMAGE,ELLIPTICITY,ELONGATION,XMIN_IMAGE,YMAX_IMAGE,FLAGS
        1,10.0000,2.0000,1e-09,\(rest)
        2,2.0000,3.0000,10.0,\(rest)
        3,2.0000,3.0000,10.0,\(rest)
        4,6.0000,3.0000,10.0,\(rest)

        """)
  }

  @Test("Components are numbered as they end, and those without a known end are not")
  func components() throws {
    var catalog = Catalog()
    let ends = [(1, 9, 20, 5), (2, 1, 20, 4), (2, 1, 20, 4), (3, 3, 8, 60)]
    for (part, (row, column, lastRow, lastColumn)) in ends.enumerated() {
      var source = source(row: row, column: column, part: part)
      source.componentEnd = PixelPlace(row: lastRow, column: lastColumn)
      catalog.add([source])
    }
    catalog.add([source(row: 9, column: 9)])
    #expect(
      catalog.table([.number, .parent], settings: DetectionSettings()).csv
        == "NUMBER,ID_PARENT\n1,3\n2,2\n3,2\n4,1\n5,0\n")
  }

  @Test("Components whose sources are all too large for the catalogue count, too")
  func unlistedComponents() throws {
    var catalog = Catalog()
    var sources = [(1, 5), (2, 3), (3, 4)].map { row, lastRow in
      var source = source(row: row, column: 1)
      source.componentEnd = PixelPlace(row: lastRow, column: 1)
      return source
    }
    let unlisted = [sources.remove(at: 1)]
    catalog.add(sources)
    #expect(
      catalog.componentNumbers(with: unlisted) == [
        PixelPlace(row: 1, column: 1): 3, PixelPlace(row: 2, column: 1): 1,
        PixelPlace(row: 3, column: 1): 2,
      ])
  }

  @Test(
    "A number has a fixed count of decimals",
    arguments: [
      (0, "0.0000"), (1.5, "1.5000"), (-0.00004, "0.0000"), (-0.00006, "-0.0001"),
      (2047.99999, "2048.0000"), (-89.9, "-89.9000"), (0.0123, "0.0123"), (1e20, "1e+20"),
    ])
  func decimals(_ value: Double, _ text: String) {
    #expect(decimal(value) == text)
  }
}
