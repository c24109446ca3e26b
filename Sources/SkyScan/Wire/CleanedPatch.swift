// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyDetection

/// Components whose sources are measured again without the pixels of nearby sources that cleaning
/// dropped; and a patch of the image that holds the components and the dropped sources entirely.
package struct CleanedPatch: Codable, Hashable, Sendable {
  /// The components' first pixels, in row order.
  var components: [PixelPlace]
  /// The dropped sources of these components and of others.
  var dropped: [DroppedSources]
  var patch: ImagePatch
  var background: BackgroundPatch
}
