import Foundation
import SkyNetCore

/// A small image with sky coordinates, to be packed and damaged.
enum Seed {
  private static let cards = [
    "CTYPE1  = 'RA---TAN-SIP'", "CTYPE2  = 'DEC--TAN-SIP'", "CRPIX1  = 40.5", "CRPIX2  = 32.5",
    "CRVAL1  = 351.6", "CRVAL2  = 0.1", "CD1_1   = -1.8E-6", "CD1_2   = 1.1E-4",
    "CD2_1   = 1.1E-4", "CD2_2   = -6.7E-7", "A_ORDER = 2", "A_0_2   = 2E-5", "B_ORDER = 2",
    "B_2_0   = 1E-5", "PV1_1   = 1.0", "RADESYS = 'ICRS'", "EQUINOX = '2000.0'",
    "DATASUM = '123456789'", "CHECKSUM= 'abcdefghijklmnop'",
  ]

  static func make(_ path: String) throws {
    let (width, height) = (80, 64)
    var random = SplitMix64(seed: 1)
    var pixels: [UInt8] = []
    for index in 0..<width * height {
      let (x, y) = (index % width - 40, index / width - 32)
      let star = max(0, 9000 - 60 * (x * x + y * y))
      let value = UInt16(1000 + star + Int(random.next() % 64))
      pixels += [UInt8((value ^ 0x8000) >> 8), UInt8(truncatingIfNeeded: value)]
    }
    let header =
      [
        "SIMPLE  =                    T", "BITPIX  =                   16",
        "NAXIS   =                    2", "NAXIS1  =                   \(width)",
        "NAXIS2  =                   \(height)", "BZERO   =                32768",
      ] + cards + ["END"]
    var text = header.map { $0.padding(toLength: 80, withPad: " ", startingAt: 0) }.joined()
    text = text.padding(toLength: (text.count + 2879) / 2880 * 2880, withPad: " ", startingAt: 0)
    pixels += [UInt8](repeating: 0, count: (2880 - pixels.count % 2880) % 2880)
    try Data(text.utf8 + pixels).write(to: URL(fileURLWithPath: path))
  }
}
