import SkyDetection

/// A flux with its variance, and what follows from them.
struct MeasuredFlux {
  /// In the image's units.
  let flux: Double
  /// In the image's units squared; `nil` if it was not measured.
  let variance: Double?

  init(_ flux: Double, variance: Double?) { (self.flux, self.variance) = (flux, variance) }

  init(_ ellipse: Source.EllipseFlux) { self.init(ellipse.flux, variance: ellipse.variance) }

  var error: Double? { variance?.squareRoot() }

  func magnitude(_ zeroPoint: Double) -> Double? { Self.magnitude(flux, zeroPoint) }

  /// With SExtractor's rounded factor of 2.5 / ln 10.
  var magnitudeError: Double? {
    guard flux > 0, let error else { return nil }
    return 1.086 * error / flux
  }

  /// The magnitude of a flux; `nil` for a flux that is not positive.
  static func magnitude(_ flux: Double, _ zeroPoint: Double) -> Double? {
    flux > 0 ? zeroPoint - 2.5 / PortableMath.log(10) * PortableMath.log(flux) : nil
  }
}

extension Source {
  var isophotalMeasuredFlux: MeasuredFlux { MeasuredFlux(flux, variance: variance) }

  /// The flux with what a Gaussian profile has under the threshold (Maddox et al. 1990, MNRAS 246, 433;
  /// the SExtractor manual, "Isophotal magnitude"); `nil` if the threshold is not known.
  var correctedFlux: MeasuredFlux? {
    guard let thresholds else { return nil }
    let area = Double(isophotal.area)
    let ratio =
      flux > 0 ? min(1, max(0, area * Double(thresholds.detection) / flux)) : 0
    let share = 1 - 0.196099 * ratio - 0.751208 * ratio * ratio
    let corrected = flux / share
    guard flux > 0 else { return MeasuredFlux(corrected, variance: variance) }
    let own = variance / (flux * flux)
    let slope = ratio * (own + 1 / area).squareRoot()
    let change = 0.196099 * slope + 1.502416 * ratio * slope
    return MeasuredFlux(corrected, variance: flux * flux * (own + change * change))
  }

  /// The Kron flux, or for a crowded source the corrected isophotal flux.
  var bestFlux: MeasuredFlux? {
    flags.contains(.biased) ? correctedFlux : kron.map(MeasuredFlux.init)
  }
}
