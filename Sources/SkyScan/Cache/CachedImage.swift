// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyFITS

/// The name under which systems cache an image's pixels: random numbers that the engagement draws
/// when it opens the image.
///
/// Only systems that were sent pixels of the image know its name. So no other member can ask for
/// them, or put others in their place; and as an image does not change while it is open, the same
/// name and rectangle are the same pixels. A digest of the pixels would tell as much, and cost as
/// much as encrypting them.
package struct CachedImage: Codable, Hashable, Sendable {
  private let first: UInt64
  private let second: UInt64

  package static func random() -> CachedImage {
    CachedImage(first: .random(in: 0...UInt64.max), second: .random(in: 0...UInt64.max))
  }
}

/// How the patches of a sector get their pixels by way of their system's cache.
package struct CacheUse: Codable, Hashable, Sendable {
  package var image: CachedImage
  /// A patch to keep for later tasks, which holds all patches of this one; `nil` if the system has
  /// been given one before.
  package var patch: ImagePatch?
  /// Whether no later task needs what is kept of the patches.
  package var isLast: Bool

  package init(image: CachedImage, patch: ImagePatch? = nil, isLast: Bool = false) {
    (self.image, self.patch, self.isLast) = (image, patch, isLast)
  }
}

/// The codings of cached pixels. A cache never hands out pixels for another coding.
struct CachedFormat: Hashable, Sendable {
  let pixels: PixelCoding.Format
  let weights: PixelCoding.Format?

  init(_ settings: SourceScan.Settings) {
    pixels = settings.coding.format
    weights = settings.weightCoding?.format
  }
}
