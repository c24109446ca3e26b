import SkyDetection

/// A component, and the patch of the image that holds it; or, if the component is known as one
/// source, its centre.
package struct ComponentPatch: Codable, Hashable, Sendable {
  /// The component's first pixel.
  var first: PixelPlace
  /// All but the fluxes in apertures, if it is measured already.
  var known: Source?
  var patch: ImagePatch
  var background: BackgroundPatch
}
