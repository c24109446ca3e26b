import Foundation
import SkyDetection
import SkyFITS
import SkyNetCore
import SkyScan

/// Scans an input for sources. The input begins with the numbers of settings and coding in binary;
/// the pixels follow.
func checkSources(_ input: [UInt8]) throws {
  var input = InputReader(input)
  // A small patch, so that most inputs have enough pixels for it.
  let rectangle = PixelRectangle(x: 0, y: 0, width: input.byte(), height: input.byte())
  let formats = [PixelCoding.Format.uint8, .int16, .float32]
  let format = formats[input.byte() % formats.count]
  let blank = input.integer()
  let coding = PixelCoding(
    format: format, scale: input.double(), zero: input.double(), blank: blank == 0 ? nil : blank)
  guard let grid = try? SectorGrid(width: rectangle.width, height: rectangle.height, side: 256)
  else { return }
  var settings = SourceScan.Settings(grid: grid, coding: coding)
  settings.threshold = input.double()
  settings.minimumArea = input.byte()
  settings.deblendLevels = input.byte()
  settings.deblendContrast = input.double()
  settings.apertures = [input.double()]
  let options = input.byte()
  if options & 2 != 0 { settings.weightCoding = coding }
  settings.detection.take(options: options, &input)
  // If the input has too few bytes for the pixels, the bytes repeat.
  let count = rectangle.width * rectangle.height * format.bytesPerPixel
  let given = input.rest.isEmpty ? [0] : input.rest
  let pixels = Data((0..<count).map { given[given.startIndex + $0 % given.count] })
  let weights = settings.weightCoding?.values(of: Data(pixels.reversed()))

  guard (try? settings.check()) != nil,
    let sources = try? SourceDetector(settings.detection).sources(
      in: coding.values(of: pixels), width: rectangle.width, height: rectangle.height,
      weights: weights)
  else { return }
  for source in sources {
    // JSON cannot encode infinite numbers, so an infinite measure would make the reply fail.
    let measures = [source.x, source.y, source.xx, source.yy, source.xy, source.flux]
    try expect(measures.allSatisfy(\.isFinite), "a source of finite numbers: \(source)")
    try expect(source.peak.isFinite, "a finite peak: \(source)")
    try expect(source.area >= 1, "a source of a pixel at least: \(source)")
  }
  let list = SourceList(sources)
  let json = try JSONEncoder().encode(list)
  try expectEqual(
    try JSONDecoder().decode(SourceList.self, from: json), list, "sources after a round trip")
}

extension DetectionSettings {
  /// Sets further settings, each if its bit is set.
  fileprivate mutating func take(options: Int, _ input: inout InputReader) {
    if options & 1 != 0 {
      kron = DetectionSettings.Kron(factor: input.double(), minimum: input.double())
    }
    if options & 4 != 0 { cleaning = input.double() }
    if options & 8 != 0 { saturation = input.double() }
    if options & 16 != 0 { maximumExtent = input.byte() }
    if options & 32 != 0 { mesh = DetectionSettings.MeshSize(input.byte() - 64) }
    if options & 128 != 0 {
      measures = [.fluxErrors, .thresholds, .profile, .weightCounts]
      localThickness = 2
      let more = input.byte()
      let kinds = [Weighting.Kind.weight, .variance, .deviation, .background]
      weighting = Weighting(
        kind: kinds[more & 3], rescales: more & 4 == 0,
        threshold: more & 8 == 0 ? nil : input.double())
      masking = [.correct, .blank, .none][(more >> 4) % 3]
      isThresholdAbsolute = more & 64 != 0
      if more & 128 != 0 { leastCircles = LeastCircles(search: input.double(), flux: 9) }
    }
    if options & 64 != 0 {
      let (width, height) = (input.byte() % 8, input.byte() % 8)
      let weights = (0..<width * height).map { _ in Float(input.double()) }
      kernel = SmoothingKernel(width: width, height: height, weights: weights)
    }
  }
}

/// Reads numbers from the front of bytes. After the end of the bytes, all numbers are 0.
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
