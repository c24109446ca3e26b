/// Where in its file an image is, and how it is stored.
struct FITSLayout: Hashable, Sendable {
  /// How many axes the image has; those after the second have length 1.
  var axisCount: Int
  var width: Int
  var height: Int
  /// The type of the stored numbers, as the header's BITPIX has it (FITS Standard 4.0, 4.4.1.1).
  var bitpix: Int
  /// How the pixels travel.
  var coding: PixelCoding
  /// The image's header: its cards of 80 characters, one after the other.
  var header: String
}
