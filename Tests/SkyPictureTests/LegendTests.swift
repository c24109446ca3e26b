import SkyDetection
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyPicture

@Suite("The legend")
struct LegendTests {
  private func legend(
    _ systems: [Int: String], hasBlanks: Bool = false, width: Int = 600
  ) throws -> (legend: Legend, canvas: Canvas) {
    let grid = try SectorGrid(width: 640, height: 640, side: 64)
    let legend = Legend(
      tints: SectorTints(grid: grid, systems: systems), sourceCount: 12, hasBlanks: hasBlanks,
      width: width)
    var canvas = Canvas(width: legend.width, height: legend.height, color: Palette.backdrop)
    legend.draw(on: &canvas, y: 0)
    return (legend, canvas)
  }

  private func colors(_ canvas: Canvas) -> Set<Color> {
    canvas.colors(x: 0..<canvas.width, y: 0..<canvas.height)
  }

  @Test("The legend has a swatch for everything in the picture")
  func contents() throws {
    let all = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, $0 < 50 ? "a" : "b") })
    let known = colors(try legend(all).canvas)
    #expect(known.isSuperset(of: [Palette.systems[0], Palette.systems[1], Palette.text]))
    #expect(!known.contains(Palette.systems[2]) && !known.contains(Palette.blank))
    let hatch = Tint.failed.swatch(x: 0, y: 0, side: 7)
    #expect(!known.contains(hatch))
    let more = colors(try legend([0: "a"], hasBlanks: true).canvas)
    #expect(more.contains(hatch) && more.contains(Palette.blank))
  }

  @Test("The legend has as many lines as it needs")
  func lines() throws {
    func height(_ count: Int) throws -> Int {
      try legend(
        Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, "system \($0)") })
      ).legend.height
    }
    #expect(try height(1) < height(10))
    #expect(try height(10) < height(40))
    // Systems beyond the maximum are only counted.
    #expect(try height(60) == height(90))
  }

  @Test(
    "A system's name may be any text",
    arguments: ["", "naïve ☃", String(repeating: "long ", count: 100), "\u{7F}\n\0"])
  func names(name: String) throws {
    for width in [1, 256, 4096] {
      let (legend, canvas) = try legend([0: name], width: width)
      #expect(legend.width == max(256, width))
      // No text extends into the margins.
      #expect(
        canvas.colors(x: canvas.width - 4..<canvas.width, y: 0..<canvas.height)
          == [Palette.backdrop])
    }
  }

  @Test("Letters have their shapes")
  func letters() {
    var canvas = Canvas(width: 11, height: 8, color: Color(0, 0, 0))
    canvas.write("Lp", x: 0, y: 0, dot: 1, Color(255, 255, 255))
    let rows = (0..<8).map { y in
      (0..<11).map { canvas[$0, y].red > 0 ? "#" : "." }.joined()
    }
    #expect(
      rows == [
        "#..........", "#..........", "#.....####.", "#.....#...#", "#.....#...#", "#.....#...#",
        "#####.####.", "......#....",
      ])
  }
}
