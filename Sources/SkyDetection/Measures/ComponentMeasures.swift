/// What measuring a component that is entirely in a patch comes to.
enum ComponentMeasures {
  case sources([Source])
  /// Measuring the sources needs more of the image. A patch that has this box suffices.
  case needs(PixelBox)

  /// The sources; `nil` if measuring them needs more of the image.
  var sources: [Source]? {
    guard case .sources(let sources) = self else { return nil }
    return sources
  }
}
