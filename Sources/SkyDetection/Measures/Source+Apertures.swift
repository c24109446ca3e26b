extension Source {
  /// Measures the fluxes in circles. A diameter of 0 stands for no circle, and makes a flux of 0.
  ///
  /// - Parameters:
  ///   - grid: the image's grid, to see which circles the image's edge cuts.
  ///   - flux: gives the flux in a circle.
  mutating func measure(
    _ diameters: [Double], in grid: SectorGrid, _ flux: (Aperture) -> Double
  ) {
    for diameter in diameters {
      guard diameter > 0 else {
        apertureFluxes.append(0)
        continue
      }
      let aperture = Aperture(radius: diameter / 2)
      apertureFluxes.append(flux(aperture))
      if aperture.isCut(x: x, y: y, by: grid) { flags.insert(.incompleteAperture) }
    }
  }
}

extension Source {
  /// Measures the fluxes in circles from all pixels, whichever source these belong to.
  ///
  /// - Parameters:
  ///   - plane: pixels after the background was subtracted.
  ///   - rectangle: the plane's place in the image.
  ///   - grid: the image's grid, to see which circles the image's edge cuts.
  package mutating func measureApertures(
    _ diameters: [Double], in plane: Plane, at rectangle: PixelRectangle, of grid: SectorGrid
  ) {
    let known = self
    measure(diameters, in: grid) { $0.flux(of: known, in: plane, from: rectangle) }
  }
}
