import Testing

@testable import SkyScan

@Suite struct CatalogTests {
  private func source(x: Double, y: Double, flux: Double = 10) -> Source {
    Source(
      x: x, y: y, xx: 4, yy: 4, xy: 0, flux: flux, peak: 2.5, area: 7, xMin: 1, yMin: 2, xMax: 3,
      yMax: 4)
  }

  @Test func rowsAreSortedAndNumbered() {
    var catalog = Catalog()
    catalog.add([source(x: 5, y: 2), source(x: 1, y: 2), source(x: 9, y: 1.25, flux: 1e-9)])
    #expect(
      catalog.csv == """
        NUMBER,X_IMAGE,Y_IMAGE,FLUX_ISO,FLUX_MAX,ISOAREA_IMAGE,A_IMAGE,B_IMAGE,THETA_IMAGE,\
        ELLIPTICITY,XMIN_IMAGE,YMIN_IMAGE,XMAX_IMAGE,YMAX_IMAGE
        1,9.0000,1.2500,1e-09,2.5,7,2.0000,2.0000,0.0000,0.0000,1,2,3,4
        2,1.0000,2.0000,10.0,2.5,7,2.0000,2.0000,0.0000,0.0000,1,2,3,4
        3,5.0000,2.0000,10.0,2.5,7,2.0000,2.0000,0.0000,0.0000,1,2,3,4

        """)
  }

  @Test func tiesDoNotDependOnTheOrder() {
    let sources = [1.0, 3, 2].map { source(x: 1, y: 1, flux: $0) }
    var one = Catalog()
    one.add(sources)
    var other = Catalog()
    for source in sources.reversed() { other.add([source]) }
    #expect(one.csv == other.csv)
  }

  @Test(arguments: [
    (0, "0.0000"), (1.5, "1.5000"), (-0.00004, "0.0000"), (-0.00006, "-0.0001"),
    (2047.99999, "2048.0000"), (-89.9, "-89.9000"), (0.0123, "0.0123"), (1e20, "1e+20"),
  ])
  func decimalsAreFixed(_ value: Double, _ text: String) {
    #expect(decimal(value) == text)
  }
}
