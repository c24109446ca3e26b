import Foundation
import SkyDetection
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyPicture

/// Images of 16 × 16 pixels in four sectors, shown at their own size. All pixels are 0 unless a
/// test sets them.
@Suite("Pictures")
struct PictureTests {
  private let folder: TemporaryFolder
  private let grid: SectorGrid
  private let systems = [0: "a", 1: "b", 2: "b", 3: "c"]

  init() throws {
    folder = try TemporaryFolder()
    grid = try SectorGrid(width: 16, height: 16, side: 8, halo: 2, mesh: 8)
  }

  private func picture(
    _ pixels: [Int: Float] = [:], sources: [Source] = [], systems: [Int: String]? = nil,
    maximumSide: Int = 16
  ) async throws -> Picture {
    let values = (0..<256).map { pixels[$0] ?? 0 }
    return Picture(
      of: try await floatImage(folder, width: 16, values), sources: sources, grid: grid,
      systems: systems ?? self.systems, maximumSide: maximumSide)
  }

  private func tinted(_ number: Int) -> Color {
    Tint.system(number).applied(to: Color(0, 0, 0), x: 0, y: 0)
  }

  @Test("The first row is at the bottom")
  func firstRow() async throws {
    let canvas = try await picture([0: 9, 18: 9]).canvas()
    #expect(canvas[0, 15] == Color(255, 255, 255))
    #expect(canvas[2, 14] == Color(255, 255, 255))
    #expect(canvas[0, 0] == tinted(1))
  }

  @Test("A sector has the colour of its system")
  func colour() async throws {
    let canvas = try await picture().canvas()
    #expect(canvas.colors(x: 0..<8, y: 9..<16) == [tinted(0)])
    #expect(canvas.colors(x: 9..<16, y: 9..<16) == [tinted(1)])
    #expect(canvas.colors(x: 0..<8, y: 0..<8) == [tinted(1)])
    #expect(canvas.colors(x: 9..<16, y: 0..<8) == [tinted(2)])
    let line = tinted(0).blended(with: Palette.line, Palette.lineStrength)
    #expect(canvas[3, 8] == line)
    #expect(canvas[8, 12] == tinted(1).blended(with: Palette.line, Palette.lineStrength))
  }

  @Test("A sector that no system scanned is hatched")
  func hatched() async throws {
    let canvas = try await picture(systems: [0: "a", 1: "b", 2: "b", 77: "no sector"]).canvas()
    let colors = canvas.colors(x: 9..<16, y: 0..<8)
    #expect(colors.count == 2 && colors.contains(Color(0, 0, 0)))
    #expect(canvas.colors(x: 0..<8, y: 9..<16) == [tinted(0)])
  }

  @Test("A pixel without a value has its own colour")
  func blank() async throws {
    let canvas = try await picture([0: .nan, 255: .infinity]).canvas()
    #expect(canvas[0, 15] == Palette.blank && canvas[15, 0] == Palette.blank)
    #expect(canvas[1, 15] == tinted(0))
  }

  @Test("A large image is averaged")
  func averaged() async throws {
    // One of the square's four pixels has a value, so the square is dimmer than one whose pixels
    // all have it.
    let canvas = try await picture([0: 9, 2: 9, 3: 9, 18: 9, 19: 9, 254: .nan], maximumSide: 8)
      .canvas()
    #expect(canvas[1, 7] == Color(255, 255, 255))
    #expect(canvas[0, 7].red > tinted(0).red && canvas[0, 7].red < 255)
    #expect(canvas[2, 7] == tinted(0))
    #expect(canvas[7, 0] == tinted(2))
    // At four pixels, sectors are too small for lines around them.
    #expect(canvas[4, 7] == tinted(1))
  }

  @Test("An ellipse is drawn about its source")
  func ellipse() async throws {
    // A = 4/3 along x and B = 1 along y: an ellipse of 8 × 6 pixels, where each pixel is shown as
    // four.
    let canvas = try await picture(
      sources: [source(x: 5.5, y: 12, xx: 16.0 / 9, yy: 1)], maximumSide: 32
    ).canvas()
    // The centre is 10 columns from the left and 23 rows from the bottom.
    for (x, y) in [(1, 9), (18, 9), (10, 3), (10, 15)] {
      #expect(canvas[x, y].red > 100 && canvas[x, y].red > canvas[x, y].blue, "at \(x), \(y)")
    }
    for (x, y) in [(10, 9), (1, 3), (3, 15), (10, 0)] {
      #expect(canvas[x, y] == tinted(1), "at \(x), \(y)")
    }
  }

  @Test("An ellipse turns from x towards y")
  func angle() async throws {
    // The ellipse is long from the lower left to the upper right.
    let canvas = try await picture(sources: [source(x: 8.5, y: 8.5, xx: 2, yy: 2, xy: 1.8)])
      .canvas()
    let plain = try await picture().canvas()
    #expect(canvas[12, 3] != plain[12, 3] && canvas[3, 12] != plain[3, 12])
    #expect(canvas[3, 3] == plain[3, 3] && canvas[12, 12] == plain[12, 12])
  }

  @Test("A PNG has the canvas's pixels")
  func png() async throws {
    let picture = try await picture(
      [7: 3, 90: 9, 100: .nan], sources: [source(x: 4, y: 4, xx: 1, yy: 2, xy: 0.5)])
    let png = try await picture.png()
    let (canvas, read) = (try await picture.canvas(), try #require(decoded(png)))
    #expect(read.width == canvas.width && read.height == canvas.height)
    #expect(read.bytes == canvas.bytes)
    #expect(try await picture.png() == png)
  }

  @Test("An error tells which picture libpng cannot code")
  func libpngError() {
    #expect {
      _ = try Canvas(width: 0, height: 0, color: Color(0, 0, 0)).png()
    } throws: {
      "\($0)".contains("0 × 0 pixels cannot be coded (libpng: ")
    }
  }

  @Test("A grid for an image of another size is refused")
  func wrongGrid() async throws {
    let image = try await floatImage(folder, width: 8, [Float](repeating: 0, count: 256))
    let picture = Picture(of: image, sources: [], grid: grid, systems: [:])
    await #expect(throws: InvalidScan.self) { _ = try await picture.png() }
  }

  @Test("A cancelled drawing ends")
  func cancelling() async throws {
    let picture = try await picture()
    let drawing = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await picture.png()
    }
    await #expect(throws: CancellationError.self) { _ = try await drawing.value }
  }
}
