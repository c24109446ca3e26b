import CCFITSIO

/// An image that CFITSIO writes, and its keywords.
package struct CFITSIOImage {
  package var width: Int
  /// Row by row.
  package var pixels: [UInt16]
  package var texts: [String: String] = [:]
  package var numbers: [String: Double] = [:]

  package init(
    width: Int, pixels: [UInt16], texts: [String: String] = [:], numbers: [String: Double] = [:]
  ) {
    self.width = width
    self.pixels = pixels
    self.texts = texts
    self.numbers = numbers
  }

  /// Why CFITSIO did not write: its status.
  struct NotWritten: Error {
    let status: CInt
  }

  /// Writes images to a new file. Its extended name may say how they are packed: `sky.fits.gz`, or
  /// `sky.fits[compress]`; those that are packed tile by tile come after an empty primary unit.
  package static func write(_ images: [CFITSIOImage], to extendedName: String) throws {
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
    guard status == 0 else { throw NotWritten(status: status) }
  }
}
