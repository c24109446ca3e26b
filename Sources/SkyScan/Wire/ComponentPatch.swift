// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyDetection

/// A component and the patch of the image that holds it. If the component is known as one source,
/// the patch is around the source's centre.
package struct ComponentPatch: Codable, Hashable, Sendable {
  /// The component's first pixel.
  var first: PixelPlace
  /// The smallest rectangle that holds the component's pixels; it is in the patch.
  var box: PixelBox
  /// The source without its aperture fluxes, if its other measures are known.
  var known: Source?
  var patch: ImagePatch
  var background: BackgroundPatch
}
