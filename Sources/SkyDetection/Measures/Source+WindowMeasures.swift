// What this file codes is frozen by the version of `SourceScan.kind`.

extension Source {
  /// Measures of a source's light through a Gaussian window that follows the source (the SExtractor
  /// manual, "Windowed positional parameters").
  public struct WindowMeasures: Codable, Hashable, Sendable {
    /// The centre, in pixels from 1 (XWIN_IMAGE, YWIN_IMAGE).
    public var x: Double
    public var y: Double
    /// The second moments, in square pixels. For X2WIN_IMAGE and those like it, a pixel's own variance
    /// is added to moments without an area, as to ``Source/xx``.
    public var xx: Double
    public var yy: Double
    public var xy: Double
    /// The variances of the centre (ERRX2WIN_IMAGE, ERRY2WIN_IMAGE, ERRXYWIN_IMAGE).
    public var errors: PositionErrors
    /// The flux through the window, in the image's units (FLUX_WIN), and its variance.
    public var flux: Double
    public var variance: Double
    /// How often the window was moved; one more than the most if it still moved then (NITER_WIN).
    public var iterations: Int16
    /// Why the centre, the moments and the errors are those of the isophotal profile (FLAGS_WIN).
    public var flags: Flags
    /// How far from the source's pixel the measures depend on pixels, along each axis.
    package var reach: Int16

    package init(
      x: Double, y: Double, xx: Double, yy: Double, xy: Double, errors: PositionErrors,
      flux: Double, variance: Double, iterations: Int16, flags: Flags, reach: Int16 = 0
    ) {
      (self.x, self.y, self.xx, self.yy, self.xy) = (x, y, xx, yy, xy)
      (self.errors, self.flux, self.variance) = (errors, flux, variance)
      (self.iterations, self.flags, self.reach) = (iterations, flags, reach)
    }

    /// Whether all numbers are finite.
    package var isFinite: Bool {
      [x, y, xx, yy, xy, flux, variance].allSatisfy(\.isFinite) && errors.isFinite
    }

    /// With SExtractor's bits.
    public struct Flags: OptionSet, Codable, Hashable, Sendable {
      public let rawValue: UInt16

      public init(rawValue: UInt16) { self.rawValue = rawValue }

      /// The moments are those of no ellipse: their determinant is negative.
      public static let noEllipse = Flags(rawValue: 1)
      /// A moment along x or y is negative.
      public static let negativeMoment = Flags(rawValue: 2)
      /// The flux is not positive.
      public static let noFlux = Flags(rawValue: 4)
      /// The window went too far away from the source.
      public static let strayed = Flags(rawValue: 8)
    }
  }
}
