import Foundation
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFiles

@Suite("Catalogue formats")
struct CatalogFormatTests {
  @Test(
    "A file name's extension tells the format",
    arguments: [
      ("sources.csv", CatalogFormat.csv), ("sources.CSV", .csv), ("sources", .csv),
      ("/dev/stdout", .csv), ("night.2/sources", .csv), ("sources.ecsv", .ecsv),
      ("a.csv.fits", .fits), ("sources.FIT", .fits), ("sources.reg", .regions),
    ])
  func format(_ path: String, _ format: CatalogFormat) throws {
    #expect(try CatalogFormat(path: path) == format)
  }

  @Test(
    "An unknown extension is refused with a list of the known ones",
    arguments: ["sources.txt", "sources.csv.gz", "sources.fz"])
  func unknownExtension(_ path: String) {
    let error = #expect(throws: OutputFileError.self) { _ = try CatalogFormat(path: path) }
    #expect(
      error?.description.contains("end the name in .csv, .ecsv, .fits (or .fit) or .reg") == true)
  }

  @Test("A quote within an ECSV description is doubled")
  func quotes() throws {
    let column = try #require(Column(rawValue: "ERRA_IMAGE"))
    let table = Catalog().table([column], settings: DetectionSettings())
    #expect(
      table.ecsv.contains(
        "description: 'r.m.s. of the barycentre''s error, major axis'"))
  }

  @Test("Every format has contents of its own")
  func contents() throws {
    let settings = DetectionSettings()
    let table = Catalog().table([.number, .x], settings: settings)
    let starts = try CatalogFormat.allCases.map { format in
      String(decoding: try format.data(of: table).prefix(8), as: UTF8.self)
    }
    #expect(starts == ["NUMBER,X", "# %ECSV ", "SIMPLE  ", "# Region"])
  }
}
