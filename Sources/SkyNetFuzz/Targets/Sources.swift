import Foundation
import SkyNetCore
import SkyScan

/// An input: the numbers of settings and sector as they lie in memory, then the pixels.
func checkSources(_ input: [UInt8]) throws {
  var input = InputReader(input)
  let settings = SourceSettings(threshold: input.double(), minimumArea: input.byte())
  let (x, y) = (input.integer(), input.integer())
  // Small, so that there are enough pixels for one.
  let (width, height) = (input.byte(), input.byte())
  let formats = [PixelCoding.Format.uint8, .int16, .float32]
  let format = formats[input.byte() % formats.count]
  let blank = input.integer()
  let coding = PixelCoding(
    format: format, scale: input.double(), zero: input.double(), blank: blank == 0 ? nil : blank)
  // What is not there is repeated from what is.
  let count = width * height * format.bytesPerPixel
  let given = input.rest.isEmpty ? [0] : input.rest
  let pixels = Data((0..<count).map { given[given.startIndex + $0 % given.count] })
  let sector = SourceSector(
    number: 0, rectangle: PixelRectangle(x: x, y: y, width: width, height: height),
    coding: coding, pixels: Pixels(pixels))

  guard let sources = try? SourceScan().sources(in: sector, settings: settings) else { return }
  for source in sources {
    // Nothing that JSON cannot write: that would fail the reply.
    let measures = [source.x, source.y, source.xx, source.yy, source.xy, source.flux]
    try expect(measures.allSatisfy(\.isFinite), "a source of finite numbers: \(source)")
    try expect(source.peak.isFinite, "a finite peak: \(source)")
    try expect(source.area >= settings.minimumArea, "a source of the minimum area: \(source)")
  }
}

/// Takes numbers off the front of bytes; 0 where they have ended.
private struct InputReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

  mutating func integer() -> Int { Int(truncatingIfNeeded: word()) }

  mutating func double() -> Double { Double(bitPattern: word()) }

  /// Eight bytes, little-endian.
  private mutating func word() -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(byte()) << ($1 * 8) }
  }
}
