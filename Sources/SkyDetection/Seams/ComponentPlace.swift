/// Where a component is.
package struct ComponentPlace: Codable, Hashable, Sendable {
  /// Its first pixel.
  package var first: PixelPlace
  /// The smallest rectangle that holds its pixels.
  package var box: PixelBox

  package init(first: PixelPlace, box: PixelBox) {
    self.first = first
    self.box = box
  }
}
