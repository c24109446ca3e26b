// What this file codes is frozen by the version of `SourceScan.kind`.

/// A component's place in the image.
package struct ComponentPlace: Codable, Hashable, Sendable {
  /// The component's first pixel.
  package var first: PixelPlace
  /// The smallest rectangle that holds the component's pixels.
  package var box: PixelBox
  /// The box of all pixels that measuring the component may need; it may extend beyond the image.
  /// With `nil`, that is not known.
  package var needed: PixelBox?

  package init(first: PixelPlace, box: PixelBox, needed: PixelBox? = nil) {
    self.first = first
    self.box = box
    self.needed = needed
  }

  /// The box of the pixels with which the component is scanned.
  package func reach(_ settings: DetectionSettings) -> PixelBox {
    needed ?? box.grown(by: settings.room(around: box))
  }
}
