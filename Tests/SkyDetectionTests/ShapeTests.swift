import Testing

@testable import SkyDetection

@Suite("Shapes")
struct ShapeTests {
  /// A source of one pixel is round, too.
  @Test("A round source has equal axes, and SExtractor's angle for them")
  func round() {
    let ellipse = Source.Ellipse(xx: 4, yy: 4, xy: 0)
    #expect(ellipse.semiMajorAxis == 2 && ellipse.semiMinorAxis == 2)
    #expect(ellipse.angle == 45 && ellipse.ellipticity == 0)
    #expect(Source.Ellipse(xx: 0, yy: 0, xy: 0).angle == 45)
  }

  @Test(
    "A long source has the axes and the angle of its moments, and SExtractor's where these are equal",
    arguments: [
      (9.0, 4.0, 0.0, 0.0), (4, 9, 0, 90), (6.5, 6.5, 2.5, 45), (6.5, 6.5, -2.5, 45),
    ])
  func long(xx: Double, yy: Double, xy: Double, angle: Double) {
    let ellipse = Source.Ellipse(xx: xx, yy: yy, xy: xy)
    #expect(abs(ellipse.semiMajorAxis - 3) < 1e-12)
    #expect(abs(ellipse.semiMinorAxis - 2) < 1e-12)
    #expect(abs(ellipse.angle - angle) < 1e-12)
    #expect(abs(ellipse.ellipticity - 1.0 / 3) < 1e-12)
  }

  @Test("A line is as wide as a pixel")
  func line() {
    let ellipse = Source.Ellipse(xx: 2, yy: 0, xy: 0)
    #expect(abs(ellipse.semiMajorAxis - (2 + 1.0 / 12).squareRoot()) < 1e-12)
    #expect(abs(ellipse.semiMinorAxis - (1.0 / 12).squareRoot()) < 1e-12)
  }

  @Test("Weighted sums give positions and moments")
  func moments() {
    // Two pixels side by side, of weights 1 and 3.
    var moments = Moments()
    moments.add(1, 2, 1)
    moments.add(3, 3, 1)
    #expect(moments.meanX == 2.75 && moments.meanY == 1)
    let own = moments.spread(about: (moments.meanX, moments.meanY))
    #expect(own == Spread(xx: 0.1875, yy: 0, xy: 0))
    #expect(moments.spread(about: (2, 1)) == Spread(xx: 0.75, yy: 0, xy: 0))
  }

  @Test("Exact sums give the same measures")
  func exactSums() {
    var one = ExactSums()
    one.add(
      MeasuredPixel(
        place: PixelPlace(row: 900_001, column: 700_002), value: 10, smoothed: 1,
        isOverThreshold: true),
      isSaturated: false, variance: 4, noise: 2)
    var other = ExactSums()
    other.add(
      MeasuredPixel(
        place: PixelPlace(row: 900_001, column: 700_003), value: 20, smoothed: 3,
        isOverThreshold: false),
      isSaturated: false, variance: 4, noise: 2)
    one.add(other)
    let box = PixelBox(columns: 700_002..<700_004, rows: 900_001..<900_002)
    let first = PixelPlace(row: 900_001, column: 700_002)
    let source = one.source(first: first, box: box, noise: 2, settings: DetectionSettings())
    #expect(source.x == 700_003.75 && source.y == 900_002)
    #expect(source.xx == 0.1875 && source.yy == 0 && source.xy == 0)
    #expect(source.variance == 8 && source.flags == .notDeblended)
    #expect(source.flux == 30 && source.peak == 20)
    #expect(source.area == 2 && source.isophotalArea == 1)
    #expect(source.xPeak == 700_004 && source.yPeak == 900_002)
    #expect(source.xMin == 700_003 && source.xMax == 700_004 && source.yMax == 900_002)
  }
}
