import CCFITSIO

/// An image for CFITSIO to write, with its keywords.
package struct CFITSIOImage {
  package var width: Int
  /// The pixels, row by row.
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

  /// CFITSIO could not write. The value is its status.
  struct NotWritten: Error {
    let status: CInt
  }

  /// Writes images to a new file. The extended name may tell the compression: `sky.fits.gz`, or
  /// `sky.fits[compress]`. Tile-compressed images come after an empty primary unit.
  package static func write(_ images: [CFITSIOImage], to extendedName: String) throws {
    var file: UnsafeMutablePointer<fitsfile>?
    var status: CInt = 0
    ffinit(&file, extendedName, &status)
    for image in images {
      var sides = [image.width, image.pixels.count / image.width]
      var pixels = image.pixels
      ffcrim(file, USHORT_IMG, 2, &sides, &status)
      // A tile-compressed image has an EXTNAME already.
      for (keyword, text) in image.texts { ffukys(file, keyword, text, nil, &status) }
      for (keyword, number) in image.numbers { ffukyd(file, keyword, number, -15, nil, &status) }
      ffppr(file, TUSHORT, 1, LONGLONG(pixels.count), &pixels, &status)
    }
    ffclos(file, &status)
    guard status == 0 else { throw NotWritten(status: status) }
  }
}
