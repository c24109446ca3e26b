import CCFITSIO
import Foundation
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS

@Suite("A partial catalogue says that it is one, where its format can")
struct CoverageTests {
  private func table(partial: Coverage?) throws -> CatalogTable {
    var table = Catalog().table([.number, .x], settings: DetectionSettings())
    table.partial = partial
    return table
  }

  private let part = Coverage(scanned: 11, of: 16)

  @Test func textTablesSaySo() throws {
    let (part, whole) = (try table(partial: part), try table(partial: nil))
    #expect(
      part.ecsv.contains(
        """
        # meta: !!omap
        # - {PARTIAL: true}
        # - {SCANNED: 11}
        # - {SECTORS: 16}
        # schema: astropy-2.0
        NUMBER,X_IMAGE

        """))
    #expect(!whole.ecsv.contains("PARTIAL"))
    #expect(
      part.regions == """
        # Region file format: DS9 version 4.1
        # partial: 11 of 16 sectors were scanned
        image

        """)
    #expect(!whole.regions.contains("partial"))
    // Its readers would take any further line for a row.
    #expect(part.csv == whole.csv)
  }

  @Test func aFITSTableSaysSoInItsHeader() throws {
    let cards = String(decoding: try table(partial: part).fits(), as: UTF8.self)
    for card in [
      "PARTIAL =                    T / not all sectors were scanned",
      "SCANNED =                   11 / sectors scanned",
      "SECTORS =                   16 / sectors of the image",
    ] {
      #expect(cards.contains(card), "\(card)")
    }
    #expect(!String(decoding: try table(partial: nil).fits(), as: UTF8.self).contains("PARTIAL"))
  }

  @Test func formatsThatCannotSaySoAreKnown() throws {
    #expect(CatalogFormat.allCases.filter { !$0.marksPartialTables } == [.csv])
    for format in CatalogFormat.allCases {
      let (part, whole) = (
        try format.data(of: try table(partial: part)), try format.data(of: try table(partial: nil))
      )
      #expect((part != whole) == format.marksPartialTables, "\(format)")
    }
  }
}
