/// The sizes of a header and data unit, computed from its header. A header can contain any numbers,
/// so each function returns `nil` if they give no valid size.
enum DataUnit {
  /// A FITS file consists of blocks of this many bytes.
  private static let block = 2880

  /// The number of bytes of an uncompressed image.
  static func size(axes: [Int], bitpix: Int) -> Int? {
    var bytes = Int(clamping: bitpix.magnitude) / 8
    for length in axes {
      let (product, isBeyond) = bytes.multipliedReportingOverflow(by: length)
      guard length >= 0, !isBeyond else { return nil }
      bytes = product
    }
    return bytes
  }

  /// The number of bytes of a table and of its heap, which holds a tile-compressed image.
  static func size(heapStart: Int, heapSize: Int) -> Int? { sum(heapStart, heapSize) }

  /// The byte of the file where the unit's data end, without what fills up the last block.
  static func end(start: Int, size: Int) -> Int? { sum(start, size) }

  /// A number of bytes, filled up to whole blocks.
  static func filled(_ count: Int) -> Int? {
    sum(count, block - 1).map { $0 / block * block }
  }

  private static func sum(_ a: Int, _ b: Int) -> Int? {
    let (sum, isBeyond) = a.addingReportingOverflow(b)
    return a >= 0 && b >= 0 && !isBeyond ? sum : nil
  }
}
