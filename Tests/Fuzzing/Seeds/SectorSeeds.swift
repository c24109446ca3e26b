extension Seeds {
  static let sources: Named = [
    "one-star": sector(format: 0, pixels: (0..<256).map { star($0 % 16, $0 / 16) }),
    "float": sector(width: 4, height: 3, format: 2, pixels: [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40]),
    "float-nan": sector(format: 2, pixels: [0, 0, 0xC0, 0x7F]),
    "float-largest": sector(format: 2, pixels: [0xCA, 0xF2, 0x49, 0x71, 0xCA, 0xF2, 0x49, 0xF1]),
    "integers-blank": sector(format: 1, blank: -1, pixels: [0xFF, 0xFF, 1, 0, 9, 9]),
    "all-blank": sector(format: 0, blank: 7, pixels: [7]),
    "scale-huge": sector(format: 1, scale: 1e308, zero: -1e308, pixels: [0, 1, 2, 3, 0xFF]),
    "scale-nan": sector(format: 1, scale: .nan, zero: .infinity, pixels: [0, 1, 2, 3]),
    "threshold-nan": sector(threshold: .nan, pixels: [1, 2, 3]),
    "threshold-tiny": sector(threshold: .leastNonzeroMagnitude, pixels: [0, 1, 0, 2, 9]),
    "threshold-huge": sector(threshold: 1e308, pixels: [0, 1, 0, 2, 9]),
    "one-pixel": sector(width: 1, height: 1, pixels: [1]),
    "one-row": sector(width: 200, height: 1, minimumArea: 1, pixels: [1, 1, 1, 1, 99]),
    "no-width": sector(width: 0, pixels: [1]),
    "origin-out-of-range": sector(x: .max, y: -1, pixels: [1, 2, 3]),
    "origin-far": sector(x: 999_999, y: 999_999, minimumArea: 1, pixels: [0, 0, 0, 0, 99]),
  ]

  private static func star(_ x: Int, _ y: Int) -> UInt8 {
    let distance = (x - 8) * (x - 8) + (y - 7) * (y - 7)
    return UInt8(max(10 + (x * 7 + y * 3) % 4, 200 - 40 * distance))
  }

  private static func sector(
    threshold: Double = 1.5, x: Int = 0, y: Int = 0, width: UInt8 = 16, height: UInt8 = 16,
    minimumArea: UInt8 = 5, format: UInt8 = 0, blank: Int = 0, scale: Double = 1, zero: Double = 0,
    pixels: [UInt8]
  ) -> [UInt8] {
    word(threshold.bitPattern) + [minimumArea] + word(x) + word(y) + [width, height, format]
      + word(blank) + word(scale.bitPattern) + word(zero.bitPattern) + pixels
  }

  /// Eight bytes, little-endian.
  private static func word(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
