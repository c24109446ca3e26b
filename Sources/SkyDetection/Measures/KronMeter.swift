/// Measures Kron fluxes in a patch.
///
/// For the mean radius, pixels of other sources and pixels without values are left out. For the
/// flux, each of them is replaced by the opposite one across the source's centre.
struct KronMeter {
  let settings: DetectionSettings.Kron
  private let meter: EllipseMeter

  init(settings: DetectionSettings.Kron, patch: PixelRectangle, validArea: ValidArea) {
    self.settings = settings
    meter = EllipseMeter(patch: patch, validArea: validArea)
  }

  /// Measures a source of the component that the mask has taken. The flags have
  /// ``Source/Flags/biased`` if more than a tenth of an ellipse's pixels belong to other sources or
  /// have no values, and ``Source/Flags/incompleteAperture`` if an ellipse extends beyond the image.
  ///
  /// - Parameter noise: the pixels' noise, for the flux's variance; with `nil`, there is none.
  func measure(
    _ source: Source, in plane: Plane, _ mask: SourceMask, noise: PixelNoise?
  ) -> MeterOutcome<Source.EllipseFlux> {
    let ellipse = SourceEllipse(source)
    // Without the first ellipse's pixels, the size of the second one is not known.
    guard meter.holds(ellipse.box(DetectionSettings.Kron.extent)) else {
      return .needs(ellipse.box(DetectionSettings.Kron.largest))
    }
    return mask.withPixels(of: source, in: plane) { measure(ellipse, $0, noise) }
  }

  private func measure(
    _ ellipse: SourceEllipse, _ pixels: SourcePixels, _ noise: PixelNoise?
  ) -> MeterOutcome<Source.EllipseFlux> {
    var (moment, sum, count, others) = (0.0, 0.0, 0, 0)
    meter.forEachPixel(of: pixels, in: ellipse, within: DetectionSettings.Kron.extent) {
      index, _, _, square in
      count += 1
      if let value = pixels.value(at: index) {
        moment += (square / ellipse.determinant).squareRoot() * value
        sum += value
      } else {
        others += 1
      }
    }
    let radius = settings.radius(mean: moment > 0 && sum > 0 ? moment / sum : 0)
    let box = ellipse.box(max(radius, DetectionSettings.Kron.extent))
    guard meter.holds(box) else { return .needs(box) }
    let (flux, isBiased) = meter.flux(in: ellipse, within: radius, pixels, noise)
    var flags: Source.Flags = isBiased || 10 * others > count ? .biased : []
    if meter.isCut(ellipse, DetectionSettings.Kron.extent) || meter.isCut(ellipse, radius) {
      flags.insert(.incompleteAperture)
    }
    return .measured(flux, flags, box)
  }
}
