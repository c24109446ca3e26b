/// Measures Kron fluxes in a patch.
///
/// For the mean radius, pixels of other sources and pixels without values are left out. For the
/// flux, each of them is replaced by the opposite one across the source's centre.
struct KronMeter {
  let settings: DetectionSettings.Kron
  private let meter: EllipseMeter

  init(settings: DetectionSettings.Kron, _ meter: EllipseMeter) {
    (self.settings, self.meter) = (settings, meter)
  }

  /// Measures a source; see ``EllipseMeter/measure(_:in:_:noise:size:)``.
  func measure(
    _ source: Source, in plane: Plane, _ mask: SourceMask, noise: PixelNoise?
  ) -> MeterOutcome<Source.EllipseFlux> {
    meter.measure(source, in: plane, mask, noise: noise) { ellipse, extent, pixels in
      var (moment, sum, count, others) = (0.0, 0.0, 0, 0)
      meter.forEachPixel(of: pixels, in: ellipse, within: extent) {
        index, _, _, square in
        count += 1
        if let value = pixels.value(at: index) {
          moment += (square / ellipse.determinant).squareRoot() * value
          sum += value
        } else {
          others += 1
        }
      }
      return (settings.radius(mean: moment > 0 && sum > 0 ? moment / sum : 0), 10 * others > count)
    }
  }
}
