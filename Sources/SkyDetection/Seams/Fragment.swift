// What this file codes is frozen by the version of `SourceScan.kind`.

/// The part of a component in one sector, if the component is not entirely in the sector's patch.
///
/// The coordinator joins fragments: two belong to one component if a pixel just outside of one's
/// sector is on the outline of the other.
package struct Fragment: Codable, Hashable, Sendable {
  /// The smallest rectangle that holds the fragment's pixels. It is within the sector.
  package var box: PixelBox
  /// The fragment's first pixel.
  package var first: PixelPlace
  /// The fragment's pixels on the sector's outline.
  package var outline: [PixelRun]
  /// The component's pixels just outside of the sector.
  package var outside: [PixelRun]
  package var sums: ExactSums
  /// The fragment's last pixel; `nil` unless the settings ask for the last pixels of components.
  package var last: PixelPlace?

  package init(
    box: PixelBox, first: PixelPlace, outline: [PixelRun], outside: [PixelRun], sums: ExactSums,
    last: PixelPlace? = nil
  ) {
    self.box = box
    self.first = first
    self.outline = outline
    self.outside = outside
    self.sums = sums
    self.last = last
  }
}
