/// Where the data of a header and data unit end, by what its header says. That can be any numbers, so each
/// of these is `nil` where they make no size.
enum DataUnit {
  /// A FITS file is made of blocks of so many bytes.
  private static let block = 2880

  /// The bytes of an image that is not compressed.
  static func size(axes: [Int], bitpix: Int) -> Int? {
    var bytes = Int(clamping: bitpix.magnitude) / 8
    for length in axes {
      let (product, isBeyond) = bytes.multipliedReportingOverflow(by: length)
      guard length >= 0, !isBeyond else { return nil }
      bytes = product
    }
    return bytes
  }

  /// The bytes of a table and the heap behind it, where a tile-compressed image is.
  static func size(heapStart: Int, heapSize: Int) -> Int? { sum(heapStart, heapSize) }

  /// The byte of the file where the unit's last block ends, which counts whole: CFITSIO cannot read a part
  /// of one.
  static func end(start: Int, size: Int) -> Int? {
    guard let end = sum(start, size), let filled = sum(end, block - 1) else { return nil }
    return filled / block * block
  }

  private static func sum(_ a: Int, _ b: Int) -> Int? {
    let (sum, isBeyond) = a.addingReportingOverflow(b)
    return a >= 0 && b >= 0 && !isBeyond ? sum : nil
  }
}
