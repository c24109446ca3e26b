/// A component's place in the image.
package struct ComponentPlace: Codable, Hashable, Sendable {
  /// The component's first pixel.
  package var first: PixelPlace
  /// The smallest rectangle that holds the component's pixels.
  package var box: PixelBox

  package init(first: PixelPlace, box: PixelBox) {
    self.first = first
    self.box = box
  }
}
