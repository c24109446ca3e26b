import Testing

@testable import ImagesWorkload

@Suite("The length that a file's headers tell")
struct FITSExtentTests {
  private func extent(_ bytes: some Collection<UInt8>) -> FITSExtent {
    let bytes = Array(bytes)
    return FITSExtent(size: bytes.count) { offset, part in
      guard offset + part.count <= bytes.count else { return false }
      part = Array(bytes[offset..<offset + part.count])
      return true
    }
  }

  private let image = SampleFITS.image()

  @Test("Every beginning of a file is short, until its last pixel is there")
  func everyBeginningIsShort() {
    let end = 2880 + 40 * 50 * 2
    for count in 0..<image.count {
      let expected: FITSExtent =
        count < 2880 ? .short(needed: 2880) : count < end ? .short(needed: end) : .complete
      #expect(extent(image.prefix(count)) == expected, "\(count) bytes")
    }
    #expect(extent(image) == .complete)
  }

  @Test("Each unit of a file counts, and a file without a pixel is not complete")
  func eachUnitCounts() {
    let primary = SampleFITS.unit([])
    let second = SampleFITS.unit([1000, 2], isFirst: false)
    let pixels = [UInt8](repeating: 1, count: 5760)
    #expect(extent(primary) == .short(needed: 2 * 2880))
    #expect(extent(primary + second.prefix(4)) == .short(needed: 2 * 2880))
    #expect(extent(primary + second) == .short(needed: 2 * 2880 + 4000))
    #expect(extent(primary + second + pixels) == .complete)
    #expect(extent(image + second.prefix(100)) == .short(needed: image.count + 2880))
    #expect(extent(image + second + pixels.prefix(3999)) == .short(needed: image.count + 6880))
  }

  @Test("What fills a file up after its last unit is no unit")
  func whatFillsAFileUpIsNoUnit() {
    #expect(extent(image + [UInt8](repeating: 0, count: 20000)) == .complete)
    #expect(extent(image + [0]) == .complete)
    #expect(extent(image + Array("X".utf8)) == .short(needed: image.count + 2880))
  }

  @Test(
    "PCOUNT, GCOUNT and random groups count",
    arguments: [
      ([100, 10], 8, [("PCOUNT", "24"), ("GCOUNT", "1")], 1024),
      ([10, 10], -64, [("PCOUNT", "5"), ("GCOUNT", "3")], 8 * 3 * 105),
      ([0, 10, 3], 32, [("GROUPS", "T"), ("PCOUNT", "2"), ("GCOUNT", "7")], 4 * 7 * 32),
      ([10, 0], 32, [], 0), ([3], 16, [("NAXIS1", "99")], 6), ([7], 8, [("NAXISX", "'text'")], 7),
    ])
  func countsOfGroupsCount(axes: [Int], bits: Int, more: [(String, String)], length: Int) {
    let header = SampleFITS.unit(axes, bits: bits, more)
    let expected: FITSExtent = .short(needed: 2880 + (length == 0 ? 2880 : length))
    #expect(extent(header) == expected)
  }

  @Test("A header of several blocks is read to its END")
  func aLongHeaderIsReadToItsEnd() {
    let header = SampleFITS.unit([8, 1], (0..<100).map { ("K\($0)", "1") })
    #expect(header.count == 3 * 2880)
    #expect(extent(header.prefix(2880)) == .short(needed: 2 * 2880))
    #expect(extent(header) == .short(needed: 3 * 2880 + 16))
  }

  @Test("A gzipped file does not tell its length")
  func aGzippedFileDoesNotTellItsLength() {
    #expect(extent([0x1f, 0x8b, 8]) == .short(needed: 18))
    #expect(extent([0x1f, 0x8b] + [UInt8](repeating: 0, count: 16)) == .unknown)
  }

  @Test(
    "What is no FITS file is told as such",
    arguments: [
      ("text", Array("a text".utf8)), ("zeros", [UInt8](repeating: 0, count: 5760)),
      ("no BITPIX", SampleFITS.header([SampleFITS.card("SIMPLE", "T")])),
      ("no NAXIS2", SampleFITS.unit([5], [("NAXIS", "2")]).map { $0 }),
      (
        "a word",
        SampleFITS.header([SampleFITS.card("SIMPLE", "T"), SampleFITS.card("BITPIX", "'a'")])
      ),
      ("bits", SampleFITS.unit([5], bits: 17)), ("negative", SampleFITS.unit([-5])),
      ("huge", SampleFITS.unit([Int.max, 3])), ("huge too", SampleFITS.unit([Int.max], bits: 8)),
      ("negative groups", SampleFITS.unit([5], [("GCOUNT", "-1")])),
    ])
  func whatIsNoFITSIsTold(name: String, bytes: [UInt8]) {
    switch extent(bytes) {
    case .notFITS: break
    case let other:
      #expect(name == "no NAXIS2" && other == .short(needed: 2890), "\(name): \(other)")
    }
  }

  @Test("A header without an end is given up")
  func aHeaderWithoutEndIsGivenUp() {
    let blank = [UInt8](repeating: 0x20, count: 2880)
    let first = Array("SIMPLE  =".utf8) + blank.dropFirst(9)
    let endless = FITSExtent(size: .max) { offset, part in
      part = offset == 0 ? first : blank
      return true
    }
    #expect(endless == .notFITS("has headers without end"))
  }
}
