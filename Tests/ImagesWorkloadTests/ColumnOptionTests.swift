import ArgumentParser
import SkyDetection
import Testing

@testable import ImagesWorkload
@testable import SkyCatalog

@Suite("The option --columns")
struct ColumnOptionTests {
  private func columns(_ list: String) throws -> [Column]? {
    try ImageOptions.parse(["--columns", list]).chosenColumns
  }

  @Test("Commas part names, and not the sides of a stamp")
  func stamps() throws {
    let columns = try #require(try columns("NUMBER, vignet( 35,21 ),X_IMAGE"))
    #expect(columns == [.number, .stamp, .x])
    #expect(columns[1].stamp == DetectionSettings.Stamp(width: 35, height: 21))
    #expect(try self.columns("VIGNET")?.first?.stamp == nil)
  }

  @Test(
    "What is no column is refused",
    arguments: [
      "VIGNET(35,21", "VIGNET(600,600)", "VIGNET(3,3),VIGNET", "FLUX_APER(3)", "NUMBER,,X_IMAGE",
    ])
  func faults(list: String) {
    #expect(throws: (any Error).self) { try columns(list) }
  }
}
