/// An image's place in its file, and its format.
struct FITSLayout: Hashable, Sendable {
  /// The number of the image's header and data unit. 0 is the primary unit, as in CFITSIO and DS9.
  var extensionNumber: Int
  /// Whether the file has other images too.
  var isOneOfSeveral: Bool
  /// The number of bytes of the file, after decompression if it is gzipped.
  var contentSize: Int
  /// The number of the image's axes. Those after the second have length 1.
  var axisCount: Int
  var width: Int
  var height: Int
  /// The type of the stored numbers, as in the header's BITPIX (FITS Standard 4.0, 4.4.1.1).
  var bitpix: Int
  /// The byte of the file where the pixels begin, if the file stores them as they are sent to
  /// systems, except for the byte order; `nil` if they have to be inflated, decompressed or
  /// converted.
  var plainStart: Int?
  /// The coding in which pixels are sent to systems.
  var coding: PixelCoding
  /// The image's header: cards of 80 characters of printable ASCII, one after the other.
  var header: String

  /// The values that BITPIX can have.
  static let pixelTypes: Set = [8, 16, 32, 64, -32, -64]

  /// The largest number of bytes that one byte of gzip can become (deflate's 1032), and one byte of
  /// a tile-compressed image. The second is far beyond every method's ratio for an image whose
  /// pixels are not all equal.
  private static let mostInflation = 1032
  private static let mostCompression = 1 << 16

  /// Whether a file of that size can hold this image. Without the check, a header of a few bytes
  /// could ask for a million sectors.
  func isPossible(fileSize: Int) -> Bool {
    contentSize / Self.mostInflation <= fileSize
      && width * height / Self.mostCompression <= contentSize
  }
}
