import Foundation
import SkyFITS

/// Unpacks the pixels of a sector that travelled in fewer bytes.
func unpackingRice() throws -> () throws -> Void {
  let side = MadeUpSky.side
  var bytes = Data(capacity: 2 * side * side)
  for pixel in MadeUpSky.sparse.pixels {
    withUnsafeBytes(of: Int16(min(pixel, 32_000)).bigEndian) { bytes.append(contentsOf: $0) }
  }
  let plain = bytes
  guard let packed = RicePacking.pack(plain) else {
    throw UnexpectedOutcome(description: "the pixels do not get smaller")
  }
  return {
    guard try RicePacking.unpack(packed, width: side, height: side) == plain else {
      throw UnexpectedOutcome(description: "other pixels than those that were packed")
    }
  }
}
