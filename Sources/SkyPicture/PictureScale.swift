import SkyDetection

/// How an image's pixels become a picture's pixels. A square of ``binning`` × ``binning`` pixels is
/// averaged, or each pixel becomes a square of ``enlargement`` × ``enlargement`` pixels. The first
/// row is at the bottom.
struct PictureScale: Hashable, Sendable {
  /// Images with at most half this side are enlarged, so that the ellipses of faint sources, a few
  /// pixels wide, are distinguishable from their lines.
  static let comfortableSide = 1024

  let binning: Int
  let enlargement: Int
  /// The picture's size in pixels, without the legend.
  let width: Int
  let height: Int

  /// - Parameters:
  ///   - width: the image's width, in pixels. The last square of a row may be narrower.
  ///   - maximumSide: the longest side of the picture, in pixels.
  init(width: Int, height: Int, maximumSide: Int) {
    let longest = max(width, height)
    let binning = (longest + maximumSide - 1) / maximumSide
    enlargement =
      binning > 1 ? 1 : max(1, min(Self.comfortableSide, maximumSide) / longest)
    self.binning = binning
    self.width = (width + binning - 1) / binning * enlargement
    self.height = (height + binning - 1) / binning * enlargement
  }

  /// The number of the picture's pixels per pixel of the image, along one axis.
  var factor: Double { Double(enlargement) / Double(binning) }

  /// The part of the picture that shows the image. The picture may continue below it and to its
  /// right.
  var area: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }

  /// The thickness of a source's ellipse, in pixels: thin, but visible when the picture is shown on
  /// a smaller screen.
  var lineThickness: Double { min(2, max(1.25, Double(max(width, height)) / 1250)) }

  /// The image's column, from 0, for a column of the picture. If columns are averaged, it is the
  /// first of them.
  func column(_ x: Int) -> Int { x / enlargement * binning }

  /// The image's row, from 0, for a row of the picture, which counts from the top.
  func row(_ y: Int) -> Int { (height - 1 - y) / enlargement * binning }

  /// The place in the picture, in pixels from its upper left corner, of a point of the image, which
  /// counts as in FITS.
  func place(x: Double, y: Double) -> (x: Double, y: Double) {
    ((x - 0.5) * factor, Double(height) - (y - 0.5) * factor)
  }

  /// Whether sectors are large enough for lines between them.
  func showsSectors(of grid: SectorGrid) -> Bool { Double(grid.side) * factor >= 8 }
}
