package import SkyDetection

extension Column {
  static let parent = Column(
    "ID_PARENT", "number of the component before it was deblended", needs: .components,
    printed: .integer(width: 10),
    .int32 { $0.context.componentNumbers[$0.source.component] ?? 0 })

  /// Whether the column needs the numbers of components.
  package var needsComponents: Bool { needs.contains(.components) }
}

extension Catalog {
  /// The numbers of the components from 1, by their first pixels. As in SExtractor, they are in the order in which a
  /// reader of the image, row by row, sees them end. Components whose sources cleaning drops count too.
  ///
  /// - Parameter unlisted: the sources that are too large for the catalogue, whose components count as well.
  package func componentNumbers(with unlisted: [Source] = []) -> [PixelPlace: Int] {
    var ends: [PixelPlace: PixelPlace] = [:]
    for source in [sources, unlisted].joined() { ends[source.component] = source.componentEnd }
    let inOrder = ends.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    return Dictionary(
      uniqueKeysWithValues: inOrder.enumerated().map { ($1.key, $0 + 1) })
  }
}
