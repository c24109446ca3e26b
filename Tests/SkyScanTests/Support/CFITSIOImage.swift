import CCFITSIO
import Testing

/// An image that CFITSIO writes, and its keywords.
struct CFITSIOImage {
  var width: Int
  /// Row by row.
  var pixels: [UInt16]
  var texts: [String: String] = [:]
  var numbers: [String: Double] = [:]

  /// Writes images to a new file. Its extended name may say how they are packed: `sky.fits.gz`, or
  /// `sky.fits[compress]`; those that are packed tile by tile come after an empty primary unit.
  static func write(_ images: [CFITSIOImage], to extendedName: String) {
    var file: UnsafeMutablePointer<fitsfile>?
    var status: CInt = 0
    ffinit(&file, extendedName, &status)
    for image in images {
      var sides = [image.width, image.pixels.count / image.width]
      var pixels = image.pixels
      ffcrim(file, USHORT_IMG, 2, &sides, &status)
      // One that is packed has an EXTNAME already.
      for (keyword, text) in image.texts { ffukys(file, keyword, text, nil, &status) }
      for (keyword, number) in image.numbers { ffukyd(file, keyword, number, -15, nil, &status) }
      ffppr(file, TUSHORT, 1, LONGLONG(pixels.count), &pixels, &status)
    }
    ffclos(file, &status)
    #expect(status == 0)
  }
}
