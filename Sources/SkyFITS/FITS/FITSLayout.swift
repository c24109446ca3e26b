/// An image's place in its file, and its format.
struct FITSLayout: Hashable, Sendable {
  /// The number of the image's header and data unit. 0 is the primary unit, as in CFITSIO and DS9.
  var extensionNumber: Int
  /// Whether the file has other images too.
  var isOneOfSeveral: Bool
  /// The number of bytes of the file, after decompression if it is gzipped.
  var contentSize: Int
  /// The number of the image's axes.
  var axisCount: Int
  /// The number of planes along the axes after the second. The first one is read.
  var planeCount = 1
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
  /// Whether the image's unit has DATASUM or CHECKSUM.
  var hasSums = false
  /// Whether the file ends within the unit's last block, behind the pixels.
  var isUnfilled = false
  /// What the file has besides its images; only told of the last one.
  var leftOut: FITSLeftOut = []
  /// The cards of a header file, which replace or add to those of the header; empty if there is none.
  var replacingCards = ""

  /// The header with the cards of the header file.
  var fullHeader: String {
    replacingCards.isEmpty
      ? header : SkyFITS.header(header, replacing: cards(of: replacingCards))
  }

  /// The number of bytes that a look at the header may have to go through.
  var headerBytes: Int { header.utf8.count + replacingCards.utf8.count }

  static func headerTooLarge(_ path: String) -> FITSError {
    FITSError(
      .tooLarge, path: path,
      fault: "its header has more than the \(ReaderLimits.header) bytes that are allowed",
      nextStep: "write the image to a file with less of a header")
  }

  /// The values that BITPIX can have.
  static let pixelTypes: Set = [8, 16, 32, 64, -32, -64]

  /// More planes than that count as so many: a header can contain any number.
  static let mostPlanes = 1 << 40

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
