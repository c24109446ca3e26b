#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Source {
  /// The shape of a source, from its second moments.
  ///
  /// SExtractor's definitions (the SExtractor manual, "Basic shape parameters: A, B, THETA").
  public struct Ellipse: Hashable, Sendable {
    /// The moments along x and y, and the mixed one, in square pixels (X2_IMAGE, Y2_IMAGE, XY_IMAGE).
    public let xx: Double
    public let yy: Double
    public let xy: Double
    /// The largest and the smallest r.m.s. of the profile in any direction, in pixels (A_IMAGE,
    /// B_IMAGE).
    public let semiMajorAxis: Double
    public let semiMinorAxis: Double
    /// The angle of the major axis, from the x axis towards the y axis, in degrees, from -90 to 90
    /// (THETA_IMAGE).
    public let angle: Double
    /// 1 - B/A (ELLIPTICITY).
    public var ellipticity: Double { 1 - semiMinorAxis / semiMajorAxis }

    /// An ellipse that has an area: moments of pixels in a line get a pixel's own variance.
    ///
    /// - Parameters:
    ///   - xx: the moment along x, in square pixels.
    ///   - yy: the moment along y.
    ///   - xy: the mixed moment.
    public init(xx: Double, yy: Double, xy: Double) {
      let shape = Spread(xx: xx, yy: yy, xy: xy).regular
      self.init(exactly: shape)
    }

    /// The ellipse of the variances of a position.
    public init(_ errors: PositionErrors) {
      self.init(exactly: Spread(xx: errors.xx, yy: errors.yy, xy: errors.xy))
    }

    private init(exactly shape: Spread) {
      (xx, yy, xy) = (shape.xx, shape.yy, shape.xy)
      let mean = (xx + yy) / 2
      let difference = xx - yy
      let spread = (difference * difference / 4 + xy * xy).squareRoot()
      semiMajorAxis = (mean + spread).squareRoot()
      semiMinorAxis = max(0, mean - spread).squareRoot()
      // As in SExtractor, where the axes do not tell: so it is for a single pixel.
      let angle = difference == 0 ? .pi / 4 : atan2(2 * xy, difference) / 2
      self.angle = angle * 180 / .pi
    }

    /// The coefficients of the ellipse's equation, cxx x² + cyy y² + cxy xy = 1 (CXX_IMAGE, CYY_IMAGE,
    /// CXY_IMAGE); `nil` for an ellipse without an area.
    public var coefficients: (xx: Double, yy: Double, xy: Double)? {
      let determinant = xx * yy - xy * xy
      guard determinant > 0 else { return nil }
      return (yy / determinant, xx / determinant, -2 * xy / determinant)
    }
  }
}
