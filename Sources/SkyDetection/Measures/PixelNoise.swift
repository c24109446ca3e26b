/// The variances of pixels: from the noise of the sky, by the pixels' weights, and from counting photons
/// (the SExtractor manual, "Photometric errors").
struct PixelNoise {
  /// The variance of a pixel of weight 1. If no pixel has a weight, that of any pixel of empty sky.
  let unitVariance: Double
  /// The variance of a typical pixel of empty sky.
  let skyVariance: Double
  /// The number of photons per count, where a pixel has the sky's variance. 0 stands for infinitely
  /// many.
  let gain: Double
  /// Whether a pixel's gain is in inverse proportion to its variance.
  let scalesGain: Bool

  init(noise: Double, unitNoise: Double, gain: Double = 0, scalesGain: Bool = false) {
    (unitVariance, skyVariance) = (unitNoise * unitNoise, noise * noise)
    (self.gain, self.scalesGain) = (gain, scalesGain)
  }

  /// The noise of pixels that are scanned with settings.
  init(over background: BackgroundPatch, _ settings: DetectionSettings) {
    self.init(
      noise: background.noise, unitNoise: background.unitNoise, gain: settings.gain,
      scalesGain: settings.scalesGain)
  }

  /// What photons add to the variance of a pixel, if it has a gain of its own; otherwise 0, as
  /// ``photons(ofFlux:)`` counts them for all pixels together.
  @inline(__always)
  func photons(ofPixel value: Double, variance: Double) -> Double {
    scalesGain ? photons(value) * variance / skyVariance : 0
  }

  /// What photons add to the variance of a flux, if all pixels have the same gain; otherwise 0.
  func photons(ofFlux flux: Double) -> Double { scalesGain ? 0 : photons(flux) }

  /// The variance of a pixel alone, photons included.
  @inline(__always)
  func variance(ofPixel value: Double, skyVariance variance: Double) -> Double {
    variance + (scalesGain ? photons(ofPixel: value, variance: variance) : photons(value))
  }

  @inline(__always)
  private func photons(_ flux: Double) -> Double { gain > 0 ? max(0, flux) / gain : 0 }
}
