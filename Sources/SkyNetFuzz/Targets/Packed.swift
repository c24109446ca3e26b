import Foundation
import SkyFITS

/// Checks packed pixels from anybody: they are exactly as many pixels as they should be, or an
/// error, and the pixels are the same when packed and unpacked again. The input begins with the
/// width and the height; the packed bytes follow, which are also packed as pixels.
func checkPacked(_ input: [UInt8]) throws {
  guard input.count >= 2 else { return }
  let (width, height) = (Int(input[0]), Int(input[1]))
  let bytes = Data(input[2...])
  if let pixels = try? RicePacking.unpack(bytes, width: width, height: height) {
    try expectEqual(pixels.count, width * height * 2, "the bytes of unpacked pixels")
    try expectSame(pixels, width: width, height: height)
  }
  try expectSame(Data(bytes.prefix(bytes.count & ~1)), width: bytes.count / 2, height: 1)
}

private func expectSame(_ pixels: Data, width: Int, height: Int) throws {
  guard let packed = RicePacking.pack(pixels) else { return }
  try expect(packed.count < pixels.count, "packed pixels have fewer bytes")
  let again = try? RicePacking.unpack(packed, width: width, height: height)
  try expect(again == pixels, "pixels that are packed and unpacked are the same")
}
