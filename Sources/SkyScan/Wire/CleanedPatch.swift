import SkyDetection

/// Components whose sources are measured once more, as what cleaning has dropped nearby is not another
/// source's any more; and a patch of the image that holds them, and what was dropped, whole.
package struct CleanedPatch: Codable, Hashable, Sendable {
  /// By their first pixels, in the order of these.
  var components: [PixelPlace]
  /// What was dropped of these components and others.
  var dropped: [DroppedSources]
  var patch: ImagePatch
  var background: BackgroundPatch
}
