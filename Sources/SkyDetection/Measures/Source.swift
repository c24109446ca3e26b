// What this file codes is frozen by the version of `SourceScan.kind`.

/// One source, as a scan measures it.
///
/// Positions are those in the whole image and count as FITS does: the centre of the first pixel is
/// (1, 1). All measures are computed from sums, products, quotients and roots, which are the same
/// on every machine. Angles are computed when the catalogue is written.
///
/// The definitions are SExtractor's (Bertin & Arnouts 1996, A&AS 117, 393; the SExtractor manual,
/// "Position and shape parameters derived from the isophotal profile").
///
/// The members of ``isophotal`` are members of the source too: `source.peak` is
/// `source.isophotal.peak`. Measures that settings have to ask for are in memory of their own, as most sources are
/// without: a catalogue has millions of sources, which are moved many times.
@dynamicMemberLookup
public struct Source: Hashable, Sendable {
  /// The first pixel of the component that the source is in.
  package var component: PixelPlace
  /// The number of the source within its component, from 0.
  package var part: Int
  /// The barycentre of the smoothed pixels (X_IMAGE, Y_IMAGE), in pixels.
  public var x: Double
  public var y: Double
  /// The second moments of the smoothed pixels about the barycentre, in square pixels
  /// (X2_IMAGE, Y2_IMAGE, XY_IMAGE).
  public var xx: Double
  public var yy: Double
  public var xy: Double
  /// The sum of the unsmoothed pixels over the background, in the image's units (FLUX_ISO). All fluxes
  /// but that through the window, and the peak, are over ``localBackground`` if there is one.
  public var flux: Double
  /// The variance of the flux, from the sky's noise and from counting photons, in the image's units
  /// squared: the square of FLUXERR_ISO.
  public var variance: Double
  /// The peak, the area, and whatever else does not depend on the pixels' order.
  public var isophotal: IsophotalMeasures
  /// The smallest rectangle that holds the pixels, in pixels from 1 (XMIN_IMAGE … YMAX_IMAGE).
  public var xMin: Int32
  public var yMin: Int32
  public var xMax: Int32
  public var yMax: Int32
  /// Warnings about these measures (FLAGS).
  public var flags: Flags
  /// The fluxes within circles about the barycentre, in the image's units (FLUX_APER), in the order
  /// of the diameters in ``DetectionSettings/apertures``.
  public var apertureFluxes: [Double]
  /// The measures that cleaning needs; `nil` unless the settings ask for cleaning.
  package var cleaning: CleaningMeasures?
  /// Those that settings have to ask for.
  var further = FurtherMeasures.Box()

  package init(
    component: PixelPlace, part: Int, x: Double, y: Double, xx: Double, yy: Double, xy: Double,
    flux: Double, variance: Double, isophotal: IsophotalMeasures, xMin: Int32, yMin: Int32,
    xMax: Int32, yMax: Int32, flags: Flags, apertureFluxes: [Double], kron: EllipseFlux? = nil,
    cleaning: CleaningMeasures? = nil
  ) {
    self.component = component
    self.part = part
    (self.x, self.y) = (x, y)
    (self.xx, self.yy, self.xy) = (xx, yy, xy)
    (self.flux, self.variance) = (flux, variance)
    self.isophotal = isophotal
    (self.xMin, self.yMin, self.xMax, self.yMax) = (xMin, yMin, xMax, yMax)
    self.flags = flags
    self.apertureFluxes = apertureFluxes
    self.cleaning = cleaning
    if let kron { self.kron = kron }
  }

  /// A member of ``isophotal``.
  public subscript<Value>(dynamicMember member: WritableKeyPath<IsophotalMeasures, Value>) -> Value
  {
    get { isophotal[keyPath: member] }
    set { isophotal[keyPath: member] = newValue }
  }

  package var id: SourceID { SourceID(component: component, part: part) }

  /// The rectangle of the pixels, in columns and rows from 0.
  package var box: PixelBox {
    PixelBox(columns: Int(xMin) - 1..<Int(xMax), rows: Int(yMin) - 1..<Int(yMax))
  }

  /// The ellipse that the second moments describe.
  public var ellipse: Ellipse { Ellipse(xx: xx, yy: yy, xy: xy) }
}

/// The identity of a source in an image.
package struct SourceID: Hashable, Sendable {
  package var component: PixelPlace
  package var part: Int
}

extension Source {
  /// Warnings about a source's measures: FLAGS, with SExtractor's bits (the SExtractor manual,
  /// "Flags").
  public struct Flags: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// More than a tenth of the Kron ellipse belongs to other sources, or has no values.
    public static let biased = Flags(rawValue: 1)
    /// The source was deblended: its pixels are connected with those of other sources.
    public static let blended = Flags(rawValue: 2)
    /// At least one pixel is saturated.
    public static let saturated = Flags(rawValue: 4)
    /// The source touches the edge of the image, or may do so.
    public static let truncated = Flags(rawValue: 8)
    /// An aperture lacks pixels.
    public static let incompleteAperture = Flags(rawValue: 16)
    /// The source may be several: it is too large to be deblended, or holds too many parts.
    public static let notDeblended = Flags(rawValue: 64)

    public init(from decoder: any Decoder) throws {
      rawValue = try decoder.singleValueContainer().decode(UInt16.self)
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(rawValue)
    }
  }
}
