extension Source {
  /// Measures the fluxes in circles, and their variances if the noise is given. A diameter of 0 stands
  /// for no circle, and makes a flux of 0.
  ///
  /// - Parameters:
  ///   - grid: the image's grid, to see which circles the image's edge cuts.
  ///   - noise: the pixels' noise; `nil` for no variances.
  ///   - flux: gives the flux in a circle, and its variance if it is given the noise.
  mutating func measure(
    _ diameters: [Double], in grid: SectorGrid, _ noise: PixelNoise?,
    _ flux: (Aperture, PixelNoise?) -> (flux: Double, variance: Double?)
  ) {
    for diameter in diameters {
      let aperture = Aperture(radius: diameter / 2)
      let measured = diameter > 0 ? flux(aperture, noise) : (flux: 0, variance: 0)
      apertureFluxes.append(measured.flux)
      if noise != nil { apertureVariances.append(measured.variance ?? 0) }
      if diameter > 0, aperture.isCut(x: x, y: y, by: grid) { flags.insert(.incompleteAperture) }
    }
  }
}

extension Source {
  /// Measures the fluxes in circles from all pixels, whichever source these belong to.
  ///
  /// - Parameters:
  ///   - plane: pixels after the background was subtracted.
  ///   - rectangle: the plane's place in the image.
  ///   - background: the image's background there.
  ///   - grid: the image's grid, to see which circles the image's edge cuts.
  package mutating func measureApertures(
    in plane: Plane, at rectangle: PixelRectangle, over background: BackgroundPatch,
    of grid: SectorGrid, _ settings: DetectionSettings
  ) {
    let known = self
    let noise =
      settings.measures.contains(.fluxErrors) ? PixelNoise(over: background, settings) : nil
    measure(settings.apertures, in: grid, noise) { aperture, noise in
      aperture.flux(of: known, in: plane, from: rectangle, noise)
    }
  }
}

extension Aperture {
  /// The flux of a source, and its variance if the noise is given.
  func flux(
    of source: Source, in plane: Plane, _ mask: SourceMask, _ noise: PixelNoise?
  ) -> (flux: Double, variance: Double?) {
    guard let noise else { return (flux(of: source, in: plane, mask), nil) }
    return fluxAndVariance(of: source, in: plane, mask, noise)
  }

  /// The same from all pixels, whichever source they belong to.
  func flux(
    of source: Source, in plane: Plane, from patch: PixelRectangle, _ noise: PixelNoise?
  ) -> (flux: Double, variance: Double?) {
    guard let noise else { return (flux(of: source, in: plane, from: patch), nil) }
    return fluxAndVariance(of: source, in: plane, from: patch, noise)
  }
}
