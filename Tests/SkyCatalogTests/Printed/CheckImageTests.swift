import Foundation
import Testing

@testable import SkyCatalog

@Suite("Check images")
struct CheckImageTests {
  private func cards(_ texts: [String]) -> String {
    texts.map { $0.padding(toLength: 80, withPad: " ", startingAt: 0) }.joined()
  }

  private func header(_ own: [String], isExtension: Bool) -> [String] {
    let data = CheckImage.header(
      cards(own), width: 3, height: 2, isExtension: isExtension)
    #expect(data.count.isMultiple(of: 2880))
    return HeaderCard.cards(of: String(decoding: data, as: UTF8.self)).map(\.text)
      .filter { !$0.allSatisfy { $0 == " " } }
      .map { String($0.prefix { $0 != "/" }).trimmingCharacters(in: .whitespaces) }
  }

  private static let own = [
    "XTENSION= 'IMAGE   '", "BITPIX  =                   16", "NAXIS   =                    3",
    "NAXIS1  =                    3", "NAXIS2  =                    2",
    "NAXIS3  =                    1", "PCOUNT  =                    0",
    "GCOUNT  =                    1", "EXTNAME = 'CCD1    '", "BSCALE  =                    2",
    "BZERO   =                32768", "BLANK   =                    7", "CHECKSUM= 'a'",
    "COMMENT one", "GAIN    =                  1.5", "HISTORY two", "END",
  ]

  @Test("An image of several is an extension with the image's own cards")
  func mosaic() {
    #expect(
      header(Self.own, isExtension: true) == [
        "XTENSION= 'IMAGE   '", "BITPIX  =                  -32", "NAXIS   =                    2",
        "NAXIS1  =                    3", "NAXIS2  =                    2",
        "PCOUNT  =                    0", "GCOUNT  =                    1", "EXTNAME = 'CCD1    '",
        "COMMENT one", "GAIN    =                  1.5", "HISTORY two", "END",
      ])
    let primary = CheckImage.primary(imageCount: 2)
    #expect(String(decoding: primary, as: UTF8.self).contains("NEXTEND =                    2"))
  }

  @Test("A single image is the primary one, wherever it was")
  func single() {
    #expect(
      header(Self.own, isExtension: false) == [
        "SIMPLE  =                    T", "BITPIX  =                  -32",
        "NAXIS   =                    2", "NAXIS1  =                    3",
        "NAXIS2  =                    2", "COMMENT one", "GAIN    =                  1.5",
        "HISTORY two", "END",
      ])
  }

  @Test("Pixels are big-endian, and fill whole blocks")
  func pixels() {
    let data = CheckImage.data(of: [1, -2.5])
    #expect(Array(data) == [0x3f, 0x80, 0, 0, 0xc0, 0x20, 0, 0])
    #expect(data.count + CheckImage.filling(behind: 2).count == 2880)
    #expect(CheckImage.filling(behind: 720).isEmpty)
  }

  /// A key path in the loop took 170 ns a pixel, which was most of the time of a scan with check images.
  @Test("A pixel takes a few nanoseconds")
  func cost() {
    let pixels = [Float](repeating: 1, count: 4_000_000)
    // Of this thread alone, as other tests run meanwhile.
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
    let start = now()
    let data = CheckImage.data(of: pixels)
    #expect((now() - start) / Double(pixels.count) < 50)
    #expect(data.count == 4 * pixels.count)
  }
}
