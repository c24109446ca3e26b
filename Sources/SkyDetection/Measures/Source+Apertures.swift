extension Source {
  /// Measures the fluxes in circles.
  ///
  /// - Parameters:
  ///   - grid: the image's, to see which circles it cuts.
  ///   - flux: that in a circle.
  mutating func measure(
    _ diameters: [Double], in grid: SectorGrid, _ flux: (Aperture) -> Double
  ) {
    for diameter in diameters {
      let aperture = Aperture(radius: diameter / 2)
      apertureFluxes.append(flux(aperture))
      if aperture.isCut(x: x, y: y, by: grid) { flags.insert(.incompleteAperture) }
    }
  }
}

extension Source {
  /// Measures the fluxes in circles by all pixels, whichever source they belong to.
  ///
  /// - Parameters:
  ///   - plane: pixels over the background.
  ///   - rectangle: where in the image they are.
  ///   - grid: the image's, to see which circles it cuts.
  package mutating func measureApertures(
    _ diameters: [Double], in plane: Plane, at rectangle: PixelRectangle, of grid: SectorGrid
  ) {
    let known = self
    measure(diameters, in: grid) { $0.flux(of: known, in: plane, from: rectangle) }
  }
}
