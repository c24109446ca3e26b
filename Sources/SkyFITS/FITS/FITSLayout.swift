/// Where in its file an image is, and how it is stored.
struct FITSLayout: Hashable, Sendable {
  /// Which header and data unit it is: 0 is the primary one, as CFITSIO and DS9 count.
  var extensionNumber: Int
  /// Whether the file has other images too.
  var isOneOfSeveral: Bool
  /// How many bytes the file has, inflated if it is gzipped.
  var contentSize: Int
  /// How many axes the image has; those after the second have length 1.
  var axisCount: Int
  var width: Int
  var height: Int
  /// The type of the stored numbers, as the header's BITPIX has it (FITS Standard 4.0, 4.4.1.1).
  var bitpix: Int
  /// The byte of the file where the pixels begin, if they are stored there one after the other as they
  /// travel, but for the order of bytes; `nil` if they have to be inflated, decompressed or converted.
  var plainStart: Int?
  /// How the pixels travel.
  var coding: PixelCoding
  /// The image's header: its cards of 80 characters of printable ASCII, one after the other.
  var header: String

  /// What BITPIX can be.
  static let pixelTypes: Set = [8, 16, 32, 64, -32, -64]

  /// How many bytes a byte of gzip can hold at most (deflate's 1032), and of a tile-compressed image, far
  /// beyond what any of its methods does for an image that is not all the same.
  private static let mostInflation = 1032
  private static let mostCompression = 1 << 16

  /// Whether a file of that size can hold an image of this one. By a header alone, of a few bytes, there
  /// would be a million sectors.
  func isPossible(fileSize: Int) -> Bool {
    contentSize / Self.mostInflation <= fileSize
      && width * height / Self.mostCompression <= contentSize
  }
}
