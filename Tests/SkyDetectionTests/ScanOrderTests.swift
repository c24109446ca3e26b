import Testing

@testable import SkyDetection

/// The orders were worked out by hand from SExtractor's `scan.c`.
@Suite("SExtractor's order of pixels")
struct ScanOrderTests {
  /// The letters of a picture in the order of the list. A dot is no pixel.
  private func order(_ rows: String...) throws -> String {
    let letters = rows.map(Array.init)
    let width = letters[0].count
    let plane = Plane(
      width: width, height: rows.count,
      values: letters.joined().map { $0 == "." ? 0 : 1 })
    var finder = RunFinder(
      plane, threshold: 0.5,
      kernel: SmoothingKernel(width: 1, height: 1, weights: [1], isNormalised: false))
    try finder.find()
    let components = Components(finder)
    try #require(components.count == 1)
    var component = Component()
    component.replace(
      by: components[0], of: components.finder, at: PixelPlace(row: 0, column: 0),
      analysisThreshold: 0.5)
    let pixels = ScanOrder.order(of: Array(0..<Int32(component.area)), in: component)
    return String(
      pixels.map { pixel in
        letters[component.rows.lowerBound + Int(component.y[Int(pixel)])][
          component.columns.lowerBound + Int(component.x[Int(pixel)])]
      })
  }

  @Test("Rows that begin at or after the row above follow it")
  func plainRows() throws {
    #expect(try order("abc", "def") == "abcdef")
    #expect(try order("ab..", ".cd.", "..ef") == "abcdef")
    #expect(try order("a..", ".b.", "..c") == "abc")
  }

  @Test("Pixels of a row that lie before the row above come first")
  func earlierPixels() throws {
    #expect(try order("..a", "bcd") == "bcad")
    #expect(try order("..ab", "cd..") == "cdab")
    #expect(try order(".ab", "cde", "f..") == "cabdef")
  }

  @Test("Parts are joined where a run first touches them")
  func parts() throws {
    #expect(try order("a.b", "cde") == "acdbe")
    #expect(try order(".a.b", "cdef") == "cadebf")
    // Both runs of the second row are of one part, whose pixels come before those of the run below.
    #expect(try order("aaa.", "b.c.", "..de") == "aaabcde")
  }
}
