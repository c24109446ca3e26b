/// A pixel of a source, as the source is measured with it.
package struct MeasuredPixel {
  /// The pixel's place in the image.
  package var place: PixelPlace
  /// The value over the background, in the image's units.
  package var value: Float
  /// The same of the smoothed image.
  package var smoothed: Float
  /// Whether the unsmoothed value is over the threshold for ``Source/isophotalArea``.
  package var isOverThreshold: Bool

  package init(place: PixelPlace, value: Float, smoothed: Float, isOverThreshold: Bool) {
    self.place = place
    self.value = value
    self.smoothed = smoothed
    self.isOverThreshold = isOverThreshold
  }
}
