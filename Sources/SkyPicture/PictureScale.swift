import SkyDetection

/// How an image's pixels become a picture's: averaged over squares of ``binning`` pixels a side, or
/// each shown as a square of ``enlargement`` pixels a side, and turned so that the first row is at
/// the bottom.
struct PictureScale: Hashable, Sendable {
  /// Images up to half as long are enlarged, so that the ellipses of faint sources, a few pixels
  /// wide, can be told from their lines.
  static let comfortableSide = 1024

  let binning: Int
  let enlargement: Int
  /// The picture's size in pixels, without a legend.
  let width: Int
  let height: Int

  /// - Parameters:
  ///   - width: the image's, in pixels; the last square of a row may be narrower.
  ///   - maximumSide: how many pixels a side the picture may have.
  init(width: Int, height: Int, maximumSide: Int) {
    let longest = max(width, height)
    let binning = (longest + maximumSide - 1) / maximumSide
    enlargement =
      binning > 1 ? 1 : max(1, min(Self.comfortableSide, maximumSide) / longest)
    self.binning = binning
    self.width = (width + binning - 1) / binning * enlargement
    self.height = (height + binning - 1) / binning * enlargement
  }

  /// Pixels of the picture per pixel of the image.
  var factor: Double { Double(enlargement) / Double(binning) }

  /// What the image covers of a picture; below and to the right, there may be more.
  var area: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }

  /// How thick a source's ellipse is drawn, in pixels: thin, but still seen where the picture is
  /// shown on a smaller screen.
  var lineThickness: Double { min(2, max(1.25, Double(max(width, height)) / 1250)) }

  /// The image's column, from 0, of a column of the picture; the first of those averaged.
  func column(_ x: Int) -> Int { x / enlargement * binning }

  /// The image's row, from 0, of a row of the picture, which counts from the top.
  func row(_ y: Int) -> Int { (height - 1 - y) / enlargement * binning }

  /// Where a place of the image, counted as FITS does, is in the picture: in pixels from its upper
  /// left corner.
  func place(x: Double, y: Double) -> (x: Double, y: Double) {
    ((x - 0.5) * factor, Double(height) - (y - 0.5) * factor)
  }

  /// Whether sectors are large enough for lines between them.
  func showsSectors(of grid: SectorGrid) -> Bool { Double(grid.side) * factor >= 8 }
}
