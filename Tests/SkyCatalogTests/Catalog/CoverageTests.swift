import CCFITSIO
import Foundation
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS

@Suite("Partial catalogues")
struct CoverageTests {
  private func table(partial: Coverage?) throws -> CatalogTable {
    var table = Catalog().table([.number, .x], settings: DetectionSettings())
    table.partial = partial
    return table
  }

  private let part = Coverage(scanned: 11, of: 16)

  @Test("ECSV and region files are marked as partial, and CSV is not")
  func textTables() throws {
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
    // CSV's readers would read any further line as a row.
    #expect(part.csv == whole.csv)
  }

  @Test("A partial FITS table is marked in its header")
  func fitsTable() throws {
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

  @Test("A format reports whether it marks partial tables")
  func formats() throws {
    #expect(CatalogFormat.allCases.filter { !$0.marksPartialTables } == [.csv])
    for format in CatalogFormat.allCases {
      let (part, whole) = (
        try format.data(of: try table(partial: part)), try format.data(of: try table(partial: nil))
      )
      #expect((part != whole) == format.marksPartialTables, "\(format)")
    }
  }
}
