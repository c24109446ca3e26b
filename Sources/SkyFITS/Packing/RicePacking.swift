// What this file codes is frozen by the version of `SourceScan.kind`.

package import Foundation
import SkyDetection

/// 16-bit pixels in fewer bytes, without loss, for their way to another system.
///
/// The packed form is FITS's RICE_1 for 16-bit numbers, as CFITSIO writes it in a tile of a `.fz`
/// file (FITS Standard 4.0, 10.4.1; White and Rice), with all pixels as one run, in their order:
/// bits from the most significant one of each byte on, without a head. First comes the first pixel
/// as 16 bits, and then a block for each 32 pixels; the last block may have fewer. A block has a
/// code of 4 bits and the differences of its pixels to the pixels before them; the first pixel's
/// difference is 0. The differences wrap around at 16 bits, and are numbered 0, -1, 1, -2, 2, …
///
/// - Code 0: all differences are 0, and nothing follows.
/// - Codes 1 to 14: each difference's number is split at its lowest `code - 1` bits. As many 0s as
///   the upper part says come first, then a 1, then the lower part.
/// - Code 15: each difference's number follows as 16 bits.
///
/// Bits up to the next whole byte are 0. The same pixels always give the same bytes.
///
/// Rows do not begin anew: the first pixel of each would take 16 bits and not some six, and most
/// rows would end with a short block. Nobody needs a row without the others.
package enum RicePacking {
  /// Packs an image's pixels.
  ///
  /// - Parameter pixels: an even number of bytes, as ``PixelCoding/Format/int16`` has them.
  /// - Returns: `nil` if the packed pixels would not have fewer bytes.
  package static func pack(_ pixels: Data) -> Data? {
    guard !pixels.isEmpty, pixels.count.isMultiple(of: 2) else { return nil }
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pixels.count + RicePacker.mostBytesOfBlock + BitWriter.bytesAtOnce, alignment: 16)
    defer { room.deallocate() }
    let count = pixels.withUnsafeBytes { pixels in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: RiceBlock.pixels) { numbers in
        var packer = RicePacker(into: room, numbers: numbers)
        return packer.pack(pixels)
      }
    }
    return count.map { Data(bytes: room.baseAddress!, count: $0) }
  }

  /// Unpacks what ``pack(_:)`` returned. The bytes and the sides may come from anybody: unpacking ends
  /// soon, and takes memory only for the pixels, and only if there are bytes for that many. A caller
  /// that may not have so much memory taken checks the sides first: each byte may be 64 pixels.
  ///
  /// - Returns: `width × height × 2` bytes, as ``PixelCoding/Format/int16`` has them.
  /// - Throws: ``UnpackingError`` unless the bytes are the packed form of as many pixels and no more.
  package static func unpack(
    _ packed: Data, width: Int, height: Int
  ) throws(UnpackingError) -> Data {
    let (count, isBeyond) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !isBeyond, count <= Int.max / 2 else {
      throw .impossibleSize(width: width, height: height)
    }
    // So a few bytes cannot ask for much memory.
    guard packed.count >= leastBytes(for: count) else { throw .truncated }
    let room = PixelRoom(byteCount: 2 * count)
    let error = packed.withUnsafeBytes { packed -> UnpackingError? in
      var unpacker = RiceUnpacker(packed)
      return unpacker.unpack(into: room.bytes)
    }
    if let error { throw error }
    return room.take()
  }

  /// The bytes of pixels that are all the same.
  private static func leastBytes(for pixels: Int) -> Int {
    let blocks = (pixels - 1) / RiceBlock.pixels + 1
    return 2 + (blocks - 1) / (8 / RiceBlock.codeBits) + 1
  }
}

/// Why bytes are not the packed form of an image's pixels.
package enum UnpackingError: Error, Hashable, CustomStringConvertible {
  /// No image has these sides.
  case impossibleSize(width: Int, height: Int)
  /// The bytes end before the last pixel.
  case truncated
  /// Something follows after the last pixel.
  case trailing
  /// A difference has more than 16 bits.
  case impossibleDifference

  package var description: String {
    switch self {
    case .impossibleSize(let width, let height): "packed pixels of \(width) × \(height)"
    case .truncated: "packed pixels that are cut off"
    case .trailing: "packed pixels with something after the last one"
    case .impossibleDifference: "packed pixels that differ by more than 16 bits"
    }
  }
}

/// The numbers of RICE_1 for 16-bit pixels.
enum RiceBlock {
  static let pixels = 32
  static let codeBits = 4
  /// The code of a block whose differences are not split: FITS's `fsmax` and 1.
  static let plainCode = 15
}
