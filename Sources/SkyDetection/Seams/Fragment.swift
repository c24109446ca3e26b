/// The part of a component in one sector, if the sector's patch does not hold the component whole.
///
/// The coordinator joins such fragments: two are of one component if a pixel just outside of the
/// one's sector is on the outline of the other's.
package struct Fragment: Codable, Hashable, Sendable {
  /// The smallest rectangle that holds its pixels, all in the sector.
  package var box: PixelBox
  /// Its first pixel.
  package var first: PixelPlace
  /// Its pixels on the sector's outline.
  package var outline: [PixelRun]
  /// The component's pixels just outside of the sector.
  package var outside: [PixelRun]
  package var sums: ExactSums

  package init(
    box: PixelBox, first: PixelPlace, outline: [PixelRun], outside: [PixelRun], sums: ExactSums
  ) {
    self.box = box
    self.first = first
    self.outline = outline
    self.outside = outside
    self.sums = sums
  }
}
