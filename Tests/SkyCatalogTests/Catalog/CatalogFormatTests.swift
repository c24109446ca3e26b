import Foundation
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite struct CatalogFormatTests {
  @Test(arguments: [
    ("sources.csv", CatalogFormat.csv), ("sources.CSV", .csv), ("sources", .csv),
    ("/dev/stdout", .csv), ("night.2/sources", .csv), ("sources.ecsv", .ecsv),
    ("a.csv.fits", .fits), ("sources.FIT", .fits), ("sources.reg", .regions),
  ])
  func theEndingTellsTheFormat(_ path: String, _ format: CatalogFormat) throws {
    #expect(try CatalogFormat(path: path) == format)
  }

  @Test(arguments: ["sources.txt", "sources.csv.gz", "sources.fz"])
  func otherEndingsAreRefusedWithThoseThatAreKnown(_ path: String) {
    let error = #expect(throws: OutputFileError.self) { _ = try CatalogFormat(path: path) }
    #expect(
      error?.description.contains("end the name in .csv, .ecsv, .fits (or .fit) or .reg") == true)
  }

  @Test func everyFormatHasItsOwnContents() throws {
    let settings = DetectionSettings()
    let table = Catalog().table([.number, .x], settings: settings)
    let starts = try CatalogFormat.allCases.map { format in
      String(decoding: try format.data(of: table).prefix(8), as: UTF8.self)
    }
    #expect(starts == ["NUMBER,X", "# %ECSV ", "SIMPLE  ", "# Region"])
  }
}
