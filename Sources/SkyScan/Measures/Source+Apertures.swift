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

extension ComponentPatch {
  /// A source with what is missing in its measures.
  ///
  /// - Throws: ``InvalidScan`` if it is not in the patch, `CancellationError`.
  func completed(_ known: Source, _ settings: SourceSettings) throws -> Source {
    let place = patch.rectangle
    guard known.isFinite, known.apertureFluxes.isEmpty,
      (Double(place.x)...Double(place.x + place.width + 1)).contains(known.x),
      (Double(place.y)...Double(place.y + place.height + 1)).contains(known.y)
    else { throw InvalidScan("a source that is not in its patch") }
    var plane = patch.plane(settings)
    try background.subtract(from: &plane, at: (patch.rectangle.x, patch.rectangle.y))
    var source = known
    source.measure(settings.apertures, in: settings.grid) {
      $0.flux(of: known, in: plane, from: patch.rectangle)
    }
    return source
  }
}
