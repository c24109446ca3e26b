extension Source {
  /// Measures the fluxes in circles, in a plane that is a patch of the image.
  mutating func measure(_ diameters: [Double], in plane: Plane, from patch: PixelRectangle) {
    for diameter in diameters {
      let (flux, isComplete) = Aperture(radius: diameter / 2).flux(
        in: plane, of: patch, x: x, y: y)
      apertureFluxes.append(flux)
      if !isComplete { flags.insert(.incompleteAperture) }
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
    source.measure(settings.apertures, in: plane, from: patch.rectangle)
    return source
  }
}
