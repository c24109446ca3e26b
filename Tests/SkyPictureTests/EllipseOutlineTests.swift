import Foundation
import SkyDetection
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyPicture

@Suite("Ellipses")
struct EllipseOutlineTests {
  private let black = Color(0, 0, 0)
  private let white = Color(255, 255, 255)
  private let area = PixelRectangle(x: 0, y: 0, width: 100, height: 80)

  private func drawn(
    x: Double = 50, y: Double = 40, _ major: Double, _ minor: Double, angle: Double = 0
  ) -> Canvas {
    var canvas = Canvas(width: 100, height: 80, color: black)
    canvas.draw(
      EllipseOutline(x: x, y: y, semiMajorAxis: major, semiMinorAxis: minor, angle: angle), white,
      thickness: 2, within: area)
    return canvas
  }

  /// The brightness of the pixel that holds a point of the ellipse.
  private func brightness(_ canvas: Canvas, _ x: Double, _ y: Double) -> UInt8 {
    canvas[Int(x), Int(y)].red
  }

  @Test(
    "An ellipse's points are bright, and other pixels are unchanged",
    arguments: [(30, 20, 0), (30, 20, 37), (30, 4, -60), (6, 3, 90), (34, 12, 150)])
  func points(major: Int, minor: Int, angle: Int) {
    let (major, minor, tilt) = (Double(major), Double(minor), Double(angle) * .pi / 180)
    let canvas = drawn(major, minor, angle: Double(angle))
    var expected = Set<Int>()
    for step in 0..<3600 {
      let turn = Double(step) * .pi / 1800
      let (u, v) = (major * cos(turn), minor * sin(turn))
      let x = 50 + u * cos(tilt) - v * sin(tilt)
      let y = 40 + u * sin(tilt) + v * cos(tilt)
      #expect(brightness(canvas, x, y) > 100, "at \(x), \(y)")
      for (dx, dy) in [(-2, -2), (-2, 2), (2, -2), (2, 2), (0, 0)] {
        for column in min(0, dx)...max(0, dx) {
          for row in min(0, dy)...max(0, dy) {
            expected.insert((Int(y) + row) * 100 + Int(x) + column)
          }
        }
      }
    }
    for pixel in 0..<8000 where !expected.contains(pixel) {
      #expect(canvas[pixel % 100, pixel / 100] == black)
    }
  }

  @Test("A small ellipse is drawn larger")
  func small() {
    #expect(brightness(drawn(0.1, 0), 52.4, 40) > 100)
  }

  @Test("An ellipse is cut at the edge of its part of the canvas")
  func clipped() {
    var canvas = Canvas(width: 100, height: 80, color: black)
    let outline = EllipseOutline(x: 20, y: 20, semiMajorAxis: 15, semiMinorAxis: 15, angle: 0)
    let clip = PixelRectangle(x: 10, y: 8, width: 15, height: 20)
    canvas.draw(outline, white, thickness: 2, within: clip)
    #expect(canvas.colors(x: 0..<100, y: 0..<8) == [black])
    #expect(canvas.colors(x: 0..<100, y: 28..<80) == [black])
    #expect(canvas.colors(x: 0..<10, y: 0..<80) == [black])
    #expect(canvas.colors(x: 25..<100, y: 0..<80) == [black])
  }

  @Test(
    "An ellipse that is not on the canvas is not drawn",
    arguments: [
      (Double.nan, 1, 1), (1e300, 1, 1), (50, .infinity, 1), (-.infinity, 5, 5), (500, 20, 3),
      (50, 1e4, 1e4),
    ] as [(Double, Double, Double)])
  func notDrawn(x: Double, major: Double, minor: Double) {
    #expect(drawn(x: x, major, minor).colors(x: 0..<100, y: 0..<80) == [black])
  }
}
