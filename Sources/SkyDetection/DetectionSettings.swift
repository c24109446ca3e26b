/// How sources are told from the sky, parted and measured. A new value has SExtractor's defaults.
///
/// Lengths are in pixels, and values of pixels in the image's units.
public struct DetectionSettings: Codable, Hashable, Sendable {
  /// The side of the background's meshes, in pixels. Larger than the sources, smaller than the
  /// sky's own structure. From 1 to 4096.
  public var meshSide = 64
  /// How far over the background a smoothed pixel of a source lies, in units of the noise of an
  /// unsmoothed pixel. Lower finds fainter sources and more that are noise. Over 0.
  public var threshold = 1.5
  /// What the image is smoothed with to find sources, which are measured unsmoothed.
  public var kernel = SmoothingKernel.usual
  /// How many pixels a source has at least. 1 or more.
  public var minimumArea = 5
  /// By how many levels sources that touch are parted, from 1 to 64. 1 does not part.
  public var deblendLevels = 32
  /// The part of their common flux that each must have. From 0 to 1.
  public var deblendContrast = 0.005
  /// The exponent of the wings that sources are taken to have, to drop what would not have been
  /// found without those of brighter ones (CLEAN_PARAM). From 0.1 to 10, usually 1: lower drops
  /// more, higher leaves more that is spurious. Below 0.3 or so, bright sources' wings are cut off
  /// and drop less again. `nil` drops none.
  public var cleaning: Double?
  /// The longest side of what is parted and measured as a whole, in pixels.
  public var maximumExtent = 2048
  /// The value from which a pixel is saturated, in the image's units and with its background; with
  /// `nil` no pixel is.
  public var saturation: Double?
  /// How Kron's fluxes are measured; `nil` measures none.
  public var kron: KronSettings?
  /// How many photons make a count, which errors of fluxes are made of; 0 if endlessly many do.
  public var gain = 0.0
  /// The diameters of the circles in which fluxes are measured, in pixels: at most 16, each of at
  /// most 256.
  public var apertures: [Double] = [5]

  public init() {}

  /// Whether what fills a rectangle is measured as one source, whatever it is made of.
  package func isTooLarge(_ box: PixelBox) -> Bool {
    max(box.columns.count, box.rows.count) > maximumExtent
  }

  /// What smoothed pixels lie over, in the image's units, if sources are measured for cleaning.
  func cleaningThreshold(noise: Double) -> Float? {
    cleaning == nil ? nil : Float(threshold * noise)
  }

  /// How far around a component pixels are needed to measure it, but for Kron's fluxes.
  package var margin: Int {
    (apertures.map { Aperture(radius: $0 / 2).reach }.max() ?? 0) + kernel.reach + 1
  }

  /// How far around a component that fills a box pixels may be needed.
  package func room(around box: PixelBox) -> Int {
    guard kron != nil else { return margin }
    return max(
      margin, KronSettings.reach(ofSide: max(box.columns.count, box.rows.count)) + kernel.reach)
  }

  private var largestExtent: Int {
    SectorGrid.maximumPatchSide
      - 2 * max(margin, kron == nil ? 0 : KronSettings.maximumReach + kernel.reach)
  }

  /// - Throws: ``InvalidScan`` if a setting is out of its range.
  public func check() throws {
    try SectorGrid.check(mesh: meshSide)
    try kernel.check()
    guard threshold > 0, threshold.isFinite else {
      throw InvalidScan("a threshold of \(threshold) × noise; more than 0 is allowed")
    }
    guard minimumArea >= 1 else {
      throw InvalidScan("a minimum area of \(minimumArea) pixels; 1 or more is allowed")
    }
    guard (1...64).contains(deblendLevels) else {
      throw InvalidScan("\(deblendLevels) levels to part sources by; 1 to 64 are allowed")
    }
    guard (0...1).contains(deblendContrast) else {
      throw InvalidScan("a contrast of \(deblendContrast); 0 to 1 is allowed")
    }
    if let cleaning, !(0.1...10).contains(cleaning) {
      throw InvalidScan("a cleaning parameter of \(cleaning); 0.1 to 10 are allowed")
    }
    guard saturation?.isFinite ?? true else {
      throw InvalidScan("a saturation of \(saturation ?? 0); a number is needed")
    }
    guard gain >= 0, gain.isFinite else {
      throw InvalidScan("a gain of \(gain) photons a count; 0 or more is allowed")
    }
    guard apertures.count <= 16, apertures.allSatisfy({ 0 < $0 && $0 <= 256 }) else {
      throw InvalidScan(
        "apertures of \(apertures) pixels; at most 16 are allowed, of more than 0 and at most 256")
    }
    try kron?.check()
    guard (1...largestExtent).contains(maximumExtent) else {
      throw InvalidScan(
        "a maximum extent of \(maximumExtent) pixels; 1 to \(largestExtent) are allowed")
    }
  }
}
