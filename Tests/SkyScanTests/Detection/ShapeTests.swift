import Testing

@testable import SkyScan

@Suite struct ShapeTests {
  @Test func aRoundSource() {
    let ellipse = Ellipse(xx: 4, yy: 4, xy: 0)
    #expect(ellipse.semiMajorAxis == 2 && ellipse.semiMinorAxis == 2)
    #expect(ellipse.angle == 0 && ellipse.ellipticity == 0)
  }

  @Test(arguments: [
    (9.0, 4.0, 0.0, 0.0), (4, 9, 0, 90), (6.5, 6.5, 2.5, 45), (6.5, 6.5, -2.5, -45),
  ])
  func aLongOneLiesAsItsMomentsSay(xx: Double, yy: Double, xy: Double, angle: Double) {
    let ellipse = Ellipse(xx: xx, yy: yy, xy: xy)
    #expect(abs(ellipse.semiMajorAxis - 3) < 1e-12)
    #expect(abs(ellipse.semiMinorAxis - 2) < 1e-12)
    #expect(abs(ellipse.angle - angle) < 1e-12)
    #expect(abs(ellipse.ellipticity - 1.0 / 3) < 1e-12)
  }

  @Test func aLineIsAsWideAsAPixel() {
    let ellipse = Ellipse(xx: 2, yy: 0, xy: 0)
    #expect(abs(ellipse.semiMajorAxis - (2 + 1.0 / 12).squareRoot()) < 1e-12)
    #expect(abs(ellipse.semiMinorAxis - (1.0 / 12).squareRoot()) < 1e-12)
  }

  @Test func sumsBecomeMoments() throws {
    // Two pixels of weights 1 and 3, and the unsmoothed 10 and 20 below them.
    let plane = Plane(width: 4, height: 3, values: [0, 0, 0, 0, 0, 0, 10, 20, 0, 0, 0, 0])
    var sums = SourceSums(column: 2, row: 1)
    sums.add(Run(row: 1, columns: 2..<4, firstValue: 0), smoothed: [1, 3], plane: plane)
    let source = try #require(sums.source(at: (x: 100, y: 200)))
    #expect(source.x == 103.75 && source.y == 202)
    #expect(source.xx == 0.1875 && source.yy == 0 && source.xy == 0)
    #expect(source.flux == 30 && source.peak == 20 && source.area == 2)
    #expect(source.xMin == 103 && source.xMax == 104 && source.yMin == 202 && source.yMax == 202)
  }
}
