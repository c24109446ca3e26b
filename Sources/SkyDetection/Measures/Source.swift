/// One source, as a scan measures it.
///
/// Positions are absolute and count as FITS does: the centre of the first pixel is (1, 1).
/// Everything here comes from sums, products, quotients and roots, which are the same on every
/// machine; angles are taken where the catalogue is written.
///
/// The definitions are SExtractor's (Bertin & Arnouts 1996, A&AS 117, 393; the SExtractor manual,
/// "Position and shape parameters derived from the isophotal profile").
public struct Source: Codable, Hashable, Sendable {
  /// The component that it is in, by its first pixel.
  package var component: PixelPlace
  /// Which of the component's sources it is, from 0.
  package var part: Int
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
  /// The variance that the sky's noise gives that sum, in the image's units squared.
  public var variance: Double
  /// The highest of these pixels (FLUX_MAX).
  public var peak: Float
  /// How many pixels it has, over the threshold when smoothed (ISOAREAF_IMAGE).
  public var area: Int32
  /// How many of them are over the threshold unsmoothed (ISOAREA_IMAGE).
  public var isophotalArea: Int32
  /// The smallest rectangle that holds it (XMIN_IMAGE … YMAX_IMAGE).
  public var xMin: Int32
  public var yMin: Int32
  public var xMax: Int32
  public var yMax: Int32
  public var flags: SourceFlags
  /// The fluxes within circles about the barycentre, in the image's units (FLUX_APER), in the order
  /// of the settings' diameters.
  public var apertureFluxes: [Double]
  /// The flux in an ellipse that fits it, if it is asked for; what is too large to be parted has
  /// none.
  public var kron: KronFlux?
  /// What cleaning needs, if the settings ask for it.
  package var cleaning: CleaningMeasures?

  package init(
    component: PixelPlace, part: Int, x: Double, y: Double, xx: Double, yy: Double, xy: Double,
    flux: Double, variance: Double, peak: Float, area: Int32, isophotalArea: Int32, xMin: Int32,
    yMin: Int32, xMax: Int32, yMax: Int32, flags: SourceFlags, apertureFluxes: [Double],
    kron: KronFlux? = nil, cleaning: CleaningMeasures? = nil
  ) {
    self.component = component
    self.part = part
    (self.x, self.y) = (x, y)
    (self.xx, self.yy, self.xy) = (xx, yy, xy)
    (self.flux, self.variance, self.peak) = (flux, variance, peak)
    (self.area, self.isophotalArea) = (area, isophotalArea)
    (self.xMin, self.yMin, self.xMax, self.yMax) = (xMin, yMin, xMax, yMax)
    self.flags = flags
    self.apertureFluxes = apertureFluxes
    self.kron = kron
    self.cleaning = cleaning
  }

  package var id: SourceID { SourceID(component: component, part: part) }

  /// The rectangle, in columns and rows from 0.
  package var box: PixelBox {
    PixelBox(columns: Int(xMin) - 1..<Int(xMax), rows: Int(yMin) - 1..<Int(yMax))
  }

  /// The ellipse that its second moments describe.
  public var ellipse: Ellipse { Ellipse(xx: xx, yy: yy, xy: xy) }

  /// Whether all its numbers are finite: values near the largest give others.
  package var isFinite: Bool {
    ([x, y, xx, yy, xy, flux, variance, Double(peak), kron?.flux ?? 0] + apertureFluxes)
      .allSatisfy(\.isFinite)
  }
}

/// Which source of an image it is.
package struct SourceID: Hashable, Sendable {
  package var component: PixelPlace
  package var part: Int
}

/// What is to be known of a source's measures: FLAGS, with SExtractor's bits (the SExtractor manual,
/// "Flags").
public struct SourceFlags: OptionSet, Codable, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// More than a tenth of its Kron ellipse is other sources', or has no values.
  public static let biased = SourceFlags(rawValue: 1)
  /// It was parted from others, with which it hangs together.
  public static let blended = SourceFlags(rawValue: 2)
  /// A pixel of it, at least, is saturated.
  public static let saturated = SourceFlags(rawValue: 4)
  /// It reaches to the edge of the image, or may.
  public static let truncated = SourceFlags(rawValue: 8)
  /// Pixels are missing in an aperture.
  public static let incompleteAperture = SourceFlags(rawValue: 16)
  /// It may be several sources: it is larger than what is parted.
  public static let notParted = SourceFlags(rawValue: 64)

  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(UInt16.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
