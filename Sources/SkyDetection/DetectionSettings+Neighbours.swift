// What this file codes is frozen by the version of `SourceScan.kind`.

extension DetectionSettings {
  /// How a source's measures treat the pixels of other sources (MASK_TYPE; the SExtractor manual,
  /// "Masking").
  public enum Masking: String, Codable, Hashable, Sendable {
    /// They count like the source's own, and a pixel without a value is 0.
    case none = "NONE"
    /// They are 0, as is a pixel without a value.
    case blank = "BLANK"
    /// They are replaced by the opposite pixels across the source's centre, as are pixels without
    /// values.
    case correct = "CORRECT"
  }

  /// The circles that stand for the ellipses of Kron and Petrosian fluxes where those are smaller
  /// (PHOT_AUTOAPERS). A small ellipse is one whose circle of equal area is not larger than the circle.
  public struct LeastCircles: Codable, Hashable, Sendable {
    /// The diameter of the circle in which the size of the ellipse is sought, in pixels; 0 for none.
    /// Growth curves reach at least that far, too.
    public var search: Double
    /// The diameter of the circle in which the flux is measured, in pixels; 0 for none. Such a flux has
    /// a radius of 0.
    public var flux: Double

    /// The largest diameter.
    public static let largest = 1000.0

    public init(search: Double = 0, flux: Double = 0) {
      (self.search, self.flux) = (search, flux)
    }

    /// The farthest pixel from a source's centre that a growth curve depends on because of them.
    var reach: Int { Int(max(search, flux / 2).rounded(.up)) }

    /// - Throws: ``InvalidScan`` if a diameter is out of its range.
    func check() throws {
      guard [search, flux].allSatisfy((0...Self.largest).contains) else {
        throw InvalidScan(
          "circles of \(search) and \(flux) pixels instead of small ellipses; at most "
            + "\(Int(Self.largest)) are allowed")
      }
    }
  }
}
