package import SkyDetection
package import SkyFITS

package import struct Foundation.Data

/// What sees an image job's work as it is done. The job waits for it.
package struct ImageWatcher: Sendable {
  /// Called with the pixels of each rectangle that is read, in the image's coding; the whole image is read
  /// once, and parts of it again.
  package let sawPixels: @Sendable (PixelRectangle, PixelCoding, Data) -> Void
  /// Called with sources when they are found. A later pass may measure them anew.
  package let foundSources: @Sendable ([Source]) -> Void

  package init(
    sawPixels: @escaping @Sendable (PixelRectangle, PixelCoding, Data) -> Void,
    foundSources: @escaping @Sendable ([Source]) -> Void
  ) {
    (self.sawPixels, self.foundSources) = (sawPixels, foundSources)
  }
}
