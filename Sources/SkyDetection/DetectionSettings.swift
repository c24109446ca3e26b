// What this file codes is frozen by the version of `SourceScan.kind`.

/// How sources are detected, deblended and measured. A new value has SExtractor's defaults, and what
/// is optional turned off: cleaning, fluxes in ellipses, further measures, stamps, saturation, the gain,
/// gains by weights, and interpolation.
///
/// Lengths are in pixels, and pixels' values are in the image's units.
public struct DetectionSettings: Codable, Hashable, Sendable {
  /// The size of the background's meshes. They should be larger than the sources, and smaller than the
  /// structure of the sky itself. Each side is from 1 to 4096 pixels. So is their least common multiple,
  /// because every sector consists of whole meshes.
  public var mesh: MeshSize = 64
  /// The median filter of the background's meshes.
  public var meshFilter = MeshFilter()
  /// The level of the background at all pixels, in the image's units (BACK_TYPE MANUAL, BACK_VALUE). With
  /// `nil`, it is estimated on the meshes. The noise always is.
  public var backgroundLevel: Double?
  /// The threshold of a smoothed pixel over the background, in units of the noise of an unsmoothed
  /// pixel. A lower threshold finds fainter sources, and more noise. More than 0.
  public var threshold = 1.5
  /// Whether ``threshold`` is in the image's units (THRESH_TYPE ABSOLUTE). Weights do not change it
  /// then.
  public var isThresholdAbsolute = false
  /// The threshold of an unsmoothed pixel that counts for `Source.isophotalArea`, in the same units
  /// (ANALYSIS_THRESH). More than 0. With `nil`, it is ``threshold``.
  public var analysisThreshold: Double?
  /// Whether ``analysisThreshold`` is in the image's units. As in SExtractor, it is then the threshold of
  /// a pixel with the background's noise; weights change it in proportion to a pixel's noise.
  public var isAnalysisThresholdAbsolute = false
  /// The kernel that smooths the image for detection. Sources are measured on the unsmoothed image.
  public var kernel = SmoothingKernel.usual
  /// The minimum number of pixels of a source. 1 or more.
  public var minimumArea = 5
  /// The largest number of pixels of a source (DETECT_MAXAREA); 0 for any. A larger source is deblended
  /// and keeps its pixels, which other sources' measures treat as another source's. But it is not part
  /// of cleaning, and catalogues leave it out.
  public var maximumArea = 0
  /// The number of levels that deblending examines, from 1 to 64. With 1, no source is deblended.
  public var deblendLevels = 32
  /// The minimum fraction of a component's flux that a deblended source must have. From 0 to 1.
  public var deblendContrast = 0.005
  /// The exponent of the wings that cleaning assumes for every source (CLEAN_PARAM): cleaning drops
  /// a source that would not have been detected without the wings of a brighter one. From 0.1 to
  /// 10, usually 1. A lower exponent drops more sources; a higher one leaves more spurious ones.
  /// Below 0.3 or so, the wings of bright sources are cut off, so that fewer sources are dropped. With
  /// `nil`, none is dropped.
  public var cleaning: Double?
  /// The longest side of a component that is deblended, in pixels. A larger component is measured
  /// as one source.
  public var maximumExtent = 2048
  /// The value from which a pixel is saturated, in the image's units and including its background.
  /// With `nil`, no pixel is saturated.
  public var saturation: Double?
  /// How Kron fluxes are measured. With `nil`, none is measured.
  public var kron: Kron?
  /// How Petrosian fluxes are measured. With `nil`, none is measured.
  public var petrosian: Petrosian?
  /// The thickness of the frame around each source in which the sky under it is measured, in pixels
  /// (BACKPHOTO_TYPE LOCAL, BACKPHOTO_THICK): from 1 to 256. With `nil`, the background is the sky
  /// under all sources.
  public var localThickness: Int?
  /// The fractions of the Kron flux whose radii are measured (PHOT_FLUXFRAC): at most 64.
  public var fluxFractions: [Double] = []
  /// The circles that stand for small ellipses.
  public var leastCircles = LeastCircles()
  /// How measures treat the pixels of other sources.
  public var masking = Masking.correct
  /// The groups of further measures.
  public var measures: Measures = []
  /// The size of the sources' stamps. With `nil`, there are none.
  public var stamp: Stamp?
  /// The number of photons per count, for the errors of fluxes. 0 stands for infinitely many: photons add
  /// no error.
  public var gain = 0.0
  /// What weights mean. Has no effect without weights, unless the background's noise stands for them.
  public var weighting = Weighting()
  /// Whether weights change the gain too (WEIGHT_GAIN): a pixel whose variance is twice the sky's has
  /// half of the gain, as where half as many exposures were averaged. Has no effect without weights.
  public var scalesGain = false
  /// Whether pixels of weight 0 get the values of pixels nearby (INTERP_TYPE ALL).
  /// Otherwise they have no values. Has no effect without weights.
  public var interpolates = false
  /// The diameters of the circles in which fluxes are measured, in pixels: at most 64 circles, of
  /// at most 1024 pixels. 0 stands for no circle: its flux is 0. (SExtractor has that where its list
  /// of columns asks for more fluxes than there are circles.)
  public var apertures: [Double] = [5]
  /// The largest number of circles; SExtractor reads 32. A message has a byte for it.
  public static let mostApertures = 64
  /// The largest diameter of a circle, in pixels. A source at a sector's border is scanned in a patch that
  /// holds its circles, and the patches of a sector have to fit into a message.
  public static let widestAperture = 1024.0

  /// SExtractor's defaults, with what is optional turned off.
  public init() {}

  /// Whether a component that fills a rectangle is measured as one source, without deblending.
  package func isTooLarge(_ box: PixelBox) -> Bool {
    max(box.columns.count, box.rows.count) > maximumExtent
  }

  /// Turns off what only weights have an effect on, if there is no file of them. Where the background's
  /// noise stands for weights, nothing is turned off.
  package mutating func ignoreWeights() {
    guard weighting.kind != .background else { return }
    weighting = Weighting()
    scalesGain = false
    interpolates = false
  }

  /// The variance that counting photons adds to a flux (the SExtractor manual, "Photometric errors").
  func photonVariance(of flux: Double) -> Double { gain > 0 ? max(0, flux) / gain : 0 }

  /// The distance from a pixel up to which other pixels can change its smoothed value.
  package var reach: Int { kernel.reach + (interpolates ? Interpolation.reach : 0) }

  /// A good halo for sectors of a side, in pixels.
  package func halo(side: Int) -> Int {
    let extra = interpolates ? Interpolation.reach : 0
    return min(
      SectorGrid.widestHalo(side: side),
      SectorGrid.halo(side: side, reach: max(margin - extra, localThickness ?? 0)) + extra)
  }

  /// The threshold of smoothed pixels, in the image's units; `nil` if sources are not measured for
  /// cleaning.
  func cleaningThreshold(noise: Double) -> Float? {
    cleaning == nil ? nil : Float(detectionThreshold(noise: noise))
  }

  /// The threshold of a smoothed pixel of a noise, in the image's units.
  package func detectionThreshold(noise: Double) -> Double {
    isThresholdAbsolute ? threshold : threshold * noise
  }

  /// The threshold of an unsmoothed pixel of a noise, in the image's units.
  ///
  /// - Parameter typical: the background's noise.
  package func analysisThreshold(noise: Double, typical: Double) -> Double {
    let isAbsolute = analysisThreshold == nil ? isThresholdAbsolute : isAnalysisThresholdAbsolute
    return (analysisThreshold ?? threshold) * (isAbsolute ? noise / typical : noise)
  }

  /// Whether a source of so many pixels is one of catalogues.
  package func isListed(area: Int32) -> Bool { maximumArea == 0 || Int(area) <= maximumArea }

  /// The distance from a component up to which pixels are needed to measure it, without Kron
  /// fluxes.
  package var margin: Int {
    (apertures.map { Aperture(radius: $0 / 2).reach }.max() ?? 0) + reach + 1
  }

  /// The distance from a component up to which pixels may be needed, if the component fills the
  /// box.
  package func room(around box: PixelBox) -> Int {
    let around = stamp.map { $0.reach + reach } ?? 0
    guard measuresByShape else { return max(margin, around) }
    let side = max(box.columns.count, box.rows.count)
    return max(
      margin, around,
      max(
        measuresInEllipses ? Kron.reach(ofSide: side, extent: extent) : 0,
        leastCircles.reach + 5, localReach(ofSide: side)) + reach)
  }

  private var largestExtent: Int {
    SectorGrid.maximumPatchSide
      - 2
      * max(
        margin, measuresByShape ? Kron.maximumReach + reach : 0,
        stamp.map { $0.reach + reach } ?? 0)
  }

  /// - Throws: ``InvalidScan`` if a setting is out of its range.
  public func check() throws {
    try mesh.check()
    try meshFilter.check()
    if let backgroundLevel, !(abs(backgroundLevel) <= Double(Plane.largestValue)) {
      throw InvalidScan("a background of \(backgroundLevel); a pixel's value is needed")
    }
    try kernel.check()
    guard threshold > 0, threshold.isFinite else {
      throw InvalidScan(
        "a threshold of \(threshold)\(isThresholdAbsolute ? "" : " × noise"); more than 0 is allowed"
      )
    }
    if let analysisThreshold, !(analysisThreshold > 0 && analysisThreshold.isFinite) {
      throw InvalidScan(
        "a threshold of \(analysisThreshold)\(isAnalysisThresholdAbsolute ? "" : " × noise") for measuring; more than 0 is allowed"
      )
    }
    guard minimumArea >= 1 else {
      throw InvalidScan("a minimum area of \(minimumArea) pixels; 1 or more is allowed")
    }
    guard (0...Int(Int32.max)).contains(maximumArea) else {
      throw InvalidScan(
        "a maximum area of \(maximumArea) pixels; 0, for any, to \(Int32.max) are allowed")
    }
    guard (1...64).contains(deblendLevels) else {
      throw InvalidScan("\(deblendLevels) deblending levels; 1 to 64 are allowed")
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
    guard apertures.count <= Self.mostApertures else {
      throw InvalidScan(
        "\(apertures.count) apertures; at most \(Self.mostApertures) are allowed")
    }
    if let wrong = apertures.first(where: { !(0...Self.widestAperture).contains($0) }) {
      throw InvalidScan(
        "an aperture of \(wrong) pixels; 0 to \(Int(Self.widestAperture)) are allowed")
    }
    try weighting.check()
    try leastCircles.check()
    try kron?.check()
    try stamp?.check()
    try checkMeasures()
    guard (1...largestExtent).contains(maximumExtent) else {
      throw InvalidScan(
        "a maximum extent of \(maximumExtent) pixels; 1 to \(largestExtent) are allowed")
    }
  }
}
