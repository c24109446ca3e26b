/// One source, as a scan measures it: what lies over the threshold and hangs together.
///
/// Positions are absolute and count as FITS does: the centre of the first pixel is (1, 1).
/// Everything here comes from sums, products and quotients alone, which are the same on every
/// machine; roots and angles are taken where the catalogue is written.
///
/// The definitions are SExtractor's (Bertin & Arnouts 1996, A&AS 117, 393; the SExtractor manual,
/// "Position and shape parameters derived from the isophotal profile").
public struct Source: Codable, Hashable, Sendable {
  /// The barycentre of the smoothed pixels (X_IMAGE, Y_IMAGE), in pixels.
  public var x: Double
  public var y: Double
  /// The second moments of the smoothed pixels about the barycentre, in square pixels
  /// (X2_IMAGE, Y2_IMAGE, XY_IMAGE).
  public var xx: Double
  public var yy: Double
  public var xy: Double
  /// The sum of the pixels over the background, unsmoothed, in the image's units (FLUX_ISO).
  public var flux: Double
  /// The highest of these pixels (FLUX_MAX).
  public var peak: Float
  /// How many pixels it has (ISOAREA_IMAGE).
  public var area: Int32
  /// The smallest rectangle that holds it (XMIN_IMAGE … YMAX_IMAGE).
  public var xMin: Int32
  public var yMin: Int32
  public var xMax: Int32
  public var yMax: Int32

  public init(
    x: Double, y: Double, xx: Double, yy: Double, xy: Double, flux: Double, peak: Float,
    area: Int32, xMin: Int32, yMin: Int32, xMax: Int32, yMax: Int32
  ) {
    self.x = x
    self.y = y
    self.xx = xx
    self.yy = yy
    self.xy = xy
    self.flux = flux
    self.peak = peak
    self.area = area
    self.xMin = xMin
    self.yMin = yMin
    self.xMax = xMax
    self.yMax = yMax
  }

  /// The ellipse that its second moments describe.
  public var ellipse: Ellipse { Ellipse(xx: xx, yy: yy, xy: xy) }
}
