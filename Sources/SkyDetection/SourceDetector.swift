/// Finds and measures the sources of an image that is an array of pixels.
///
/// The detector estimates the background on meshes, and subtracts it as a surface over the whole
/// image. It smooths the image, joins each pixel over the threshold with its eight neighbours, and
/// deblends and measures the components (Bertin & Arnouts 1996, A&AS 117, 393). The measures are
/// SExtractor's.
///
/// Pixels are in row order, beginning with the row of the lowest y. A pixel has no value if it is
/// not finite, or at most -10³⁰, which is SExtractor's mark for such pixels. Positions count from 1
/// at the centre of the first pixel, as FITS does. Lengths are in pixels, and fluxes in the image's
/// units.
///
/// The same pixels and settings give the same sources on any machine, and the same as a cluster's
/// scan of the image. A call computes on the calling thread. The detector holds only settings, so
/// several calls can run at the same time.
public struct SourceDetector: Sendable {
  /// The settings that all calls use.
  public var settings: DetectionSettings

  /// - Parameter settings: how sources are detected and measured; each call checks the settings.
  public init(_ settings: DetectionSettings = DetectionSettings()) {
    self.settings = settings
  }

  /// The sources, in the order of the first pixels of their components.
  ///
  /// - Parameters:
  ///   - pixels: `width * height` pixels, row by row.
  ///   - width: the number of columns.
  ///   - height: the number of rows.
  ///   - weights: a number for each pixel, whose meaning is ``DetectionSettings/weighting``: by default a
  ///     weight in proportion to 1/variance, and a pixel whose weight is not positive has no value.
  ///     With `nil`, all pixels have the same weight.
  ///   - background: a background that ``background(of:width:height:weights:)`` made from an image
  ///     of this size. With `nil`, it is made from these pixels.
  /// - Throws: ``InvalidScan`` if a setting is out of its range, or the counts do not match;
  ///   `CancellationError` soon after the task is cancelled.
  public func sources(
    in pixels: [Float], width: Int, height: Int, weights: [Float]? = nil,
    over background: Background? = nil
  ) throws -> [Source] {
    let plane = try plane(pixels, width, height, weights)
    let background = try background ?? self.background(of: plane)
    guard background.isSound(width: width, height: height, settings) else {
      throw InvalidScan(
        "a background that is not of \(width) × \(height) pixels with meshes of "
          + "\(settings.mesh)")
    }
    let whole = PixelRectangle(x: 0, y: 0, width: width, height: height)
    let settings = settings(hasWeights: weights != nil)
    let scan = try PatchScan(
      plane, at: whole, over: background.patch(of: whole),
      of: SectorGrid(uncutWidth: width, height: height), settings: settings)
    let found = try scan.wholeSources().filter { settings.isListed(area: $0.isophotal.area) }
    guard let parameter = settings.cleaning else { return found }
    return Cleaner(parameter: parameter).survivors(of: found)
  }

  /// The background: its level at each pixel, and its noise.
  ///
  /// - Parameters: see ``sources(in:width:height:weights:over:)``.
  /// - Throws: the same errors as ``sources(in:width:height:weights:over:)``.
  public func background(
    of pixels: [Float], width: Int, height: Int, weights: [Float]? = nil
  ) throws -> Background {
    try background(of: try plane(pixels, width, height, weights))
  }

  private func background(of plane: Plane) throws -> Background {
    Background(
      try MeshEstimates(of: plane, mesh: settings.mesh),
      settings(hasWeights: plane.variances != nil))
  }

  private func settings(hasWeights: Bool) -> DetectionSettings {
    var settings = settings
    if !hasWeights { settings.ignoreWeights() }
    return settings
  }

  private func plane(
    _ pixels: [Float], _ width: Int, _ height: Int, _ weights: [Float]?
  ) throws -> Plane {
    try settings.check()
    let sides = 1...SectorGrid.maximumImageSide
    guard sides.contains(width), sides.contains(height), pixels.count == width * height else {
      throw InvalidScan("\(pixels.count) pixels for an image of \(width) × \(height)")
    }
    var plane = Plane(
      width: width, height: height,
      values: pixels.map { $0 > Plane.mark && $0 < .infinity ? $0 : .nan })
    guard let weights else { return plane }
    guard weights.count == pixels.count else {
      throw InvalidScan("\(weights.count) weights for \(pixels.count) pixels")
    }
    guard settings.weighting.kind != .background else {
      throw InvalidScan("weights, although the background's noise stands for them")
    }
    plane.weigh(by: weights, as: settings.weighting)
    return plane
  }
}
