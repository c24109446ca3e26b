// What this file codes is frozen by the version of `SourceScan.kind`.

extension DetectionSettings {
  /// Groups of measures that sources have only if they are asked for, because each takes time and
  /// room in messages.
  public struct Measures: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The variances of the fluxes in circles and ellipses.
    public static let fluxErrors = Measures(rawValue: 1)
    /// The variances of the barycentre.
    public static let positionErrors = Measures(rawValue: 1 << 1)
    /// The areas over eight levels, and the width of the core.
    public static let profile = Measures(rawValue: 1 << 2)
    /// The measures through a Gaussian window.
    public static let window = Measures(rawValue: 1 << 3)
    /// The numbers of pixels with low weights.
    public static let weightCounts = Measures(rawValue: 1 << 4)
    /// The lowest thresholds of the source's own pixels.
    public static let thresholds = Measures(rawValue: 1 << 5)
    /// The last pixel of the component.
    public static let componentEnds = Measures(rawValue: 1 << 6)

    private static let all = Measures(rawValue: (1 << 7) - 1)

    /// - Throws: ``InvalidScan`` if there is an unknown group.
    func check() throws {
      guard isSubset(of: Self.all) else {
        throw InvalidScan("measures of number \(rawValue), which do not exist here")
      }
    }

    public init(from decoder: any Decoder) throws {
      rawValue = try decoder.singleValueContainer().decode(UInt16.self)
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(rawValue)
    }
  }

  /// How fluxes in ellipses of Petrosian radii are measured (PHOT_PETROPARAMS).
  public struct Petrosian: Codable, Hashable, Sendable {
    /// The factor of the Petrosian radius. From 0.1 to 10.
    public var factor: Double
    /// The smallest ellipse, in units of A and B. From 0 to 16.
    public var minimum: Double

    /// SExtractor's defaults, unless other numbers are given.
    public init(factor: Double = 2, minimum: Double = 3.5) {
      self.factor = factor
      self.minimum = minimum
    }

    /// - Throws: ``InvalidScan`` if a number is out of its range.
    func check() throws {
      guard (0.1...10).contains(factor) else {
        throw InvalidScan("a Petrosian factor of \(factor); 0.1 to 10 is allowed")
      }
      guard (0...Kron.largest).contains(minimum) else {
        throw InvalidScan(
          "a Petrosian radius of at least \(minimum); 0 to \(Kron.largest) is allowed")
      }
    }
  }

  /// The largest number of fractions of a flux.
  public static let mostFluxFractions = 64

  /// As in SExtractor.
  private static let localThicknesses = 1...256

  /// Whether sources have measures that depend on the pixels of other sources.
  package var measuresSurroundings: Bool { masking != .none && measuresPixelsAround }

  /// Whether sources have measures of the pixels around them.
  var measuresPixelsAround: Bool { !apertures.isEmpty || measuresInEllipses || stamp != nil }

  /// Whether sources have measures of surroundings that depend on their shapes.
  package var measuresByShape: Bool { measuresInEllipses || localThickness != nil }

  /// Whether sources have measures of ellipses around them. No other source's pixels change the sky
  /// around a source, whether cleaning drops that source or not.
  var measuresInEllipses: Bool {
    kron != nil || petrosian != nil || !fluxFractions.isEmpty || measures.contains(.window)
  }

  /// The largest distance that the frame of the local sky can extend beyond a component whose longer
  /// side is `side`, in pixels.
  package func localReach(ofSide side: Int) -> Int { localThickness.map { side / 4 + $0 + 4 } ?? 0 }

  /// The farthest pixels of measures in ellipses, in units of A.
  var extent: Double { measures.contains(.window) ? WindowMeter.extent : Kron.largest }

  /// - Throws: ``InvalidScan`` if a setting of the measures is out of its range.
  func checkMeasures() throws {
    try measures.check()
    try petrosian?.check()
    if let localThickness, !Self.localThicknesses.contains(localThickness) {
      throw InvalidScan(
        "a frame of \(localThickness) pixels for the local sky; 1 to 256 are allowed")
    }
    guard fluxFractions.count <= Self.mostFluxFractions else {
      throw InvalidScan(
        "\(fluxFractions.count) fractions of a flux; at most \(Self.mostFluxFractions) are allowed")
    }
    guard fluxFractions.allSatisfy(\.isFinite) else {
      throw InvalidScan("fractions of a flux of \(fluxFractions); numbers are needed")
    }
  }
}
