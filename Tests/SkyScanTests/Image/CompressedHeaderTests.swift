import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// The header of an image, read with CFITSIO.
@Suite("Headers of compressed images")
struct CompressedHeaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Draws a sky with coordinates. The extended name tells the compression.
  private func write(_ extendedName: String) throws {
    let sky = try SyntheticSky(width: 200, height: 150, starCount: 20)
    let image = CFITSIOImage(
      width: sky.width, pixels: Array(IteratorSequence(SkyBands(sky)).joined()),
      texts: ["CTYPE1": "RA---TAN", "CTYPE2": "DEC--TAN", "RADESYS": "ICRS"],
      numbers: [
        "CRPIX1": 100.5, "CRPIX2": 75.5, "CRVAL1": 351.6, "CRVAL2": 0.1, "CD1_1": -1.8e-8,
        "CD1_2": 1.1e-4, "CD2_1": 1.1e-4, "CD2_2": -6.7e-9,
      ])
    try CFITSIOImage.write([image], to: folder.file(extendedName))
  }

  private func catalogue(_ name: String) async throws -> String {
    var job = try ImageJob(image: try await FITSImage.open(folder.file(name)), sectorSide: 64)
    try await scanAll(&job)
    return try await job.table().csv
  }

  @Test("A tile-compressed image has the same catalogue")
  func tileCompressed() async throws {
    try write("sky.fits")
    try write("sky.fits.fz[compress R]")
    let plain = try await catalogue("sky.fits")
    #expect(plain.hasPrefix("NUMBER,X_IMAGE,Y_IMAGE,ALPHA_J2000,DELTA_J2000,"))
    #expect(plain.split(separator: "\n").count > 10)
    #expect(try await catalogue("sky.fits.fz") == plain)
  }

  @Test("Letters beyond ASCII do not move a header's cards")
  func latin1() async throws {
    try write("sky.fits")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("sky.fits"))))
    let comment = try #require(bytes.firstRange(of: Array("COMMENT   FITS (Flexible".utf8)))
    // The file has Latin-1 letters.
    bytes.replaceSubrange(
      comment,
      with: Array("OBSERVER= 'J".utf8) + [0xf6] + Array("rg '  / ".utf8) + [0xb5, 0xb5, 0x20])
    let path = try folder.write("latin.fits", bytes)
    let header = try await FITSImage.open(path).header
    #expect(header.utf8.count % 80 == 0)
    let position = try #require(try WorldCoordinates(header: header).sky([(100.5, 75.5)])[0])
    #expect(abs(position.rightAscension - 351.6) < 1e-9 && abs(position.declination - 0.1) < 1e-9)
  }
}
