package import SkyDetection
import SkyFITS

/// The sources of an image.
package struct Catalog: Sendable {
  /// The sources in the order in which they were added.
  package private(set) var sources: [Source] = []

  /// Each source's index, filled by the first call of ``replace(_:)``. No source is added after
  /// that.
  private var places: [SourceID: Int] = [:]

  package init() {}

  package mutating func add(_ more: [Source]) {
    sources.append(contentsOf: more)
  }

  /// Replaces sources by new measurements of the same sources.
  package mutating func replace(_ measured: [Source]) {
    if places.isEmpty {
      for (index, source) in sources.enumerated() { places[source.id] = index }
    }
    for source in measured {
      if let place = places[source.id] { sources[place] = source }
    }
  }

  /// The sources in row order, by the first pixels of their components.
  package var inOrder: [Source] {
    sources.sorted { ($0.component, $0.part) < ($1.component, $1.part) }
  }

  /// The rows of a table. They depend on the sources alone, and not on the order in which these
  /// were added: they are in row order, by the first pixels of their components. Sources that the
  /// settings' cleaning drops are left out; see ``Cleaner``.
  package func rows(_ settings: DetectionSettings) -> [Source] {
    guard let parameter = settings.cleaning else { return inOrder }
    return Cleaner(parameter: parameter).survivors(of: inOrder)
  }

  /// The sources as a table, numbered from 1, without columns of sky positions.
  ///
  /// - Parameters:
  ///   - columns: the table's columns.
  ///   - settings: the settings with which the sources were measured.
  package func table(_ columns: [Column], settings: DetectionSettings) -> CatalogTable {
    var context = CatalogContext(settings)
    if columns.contains(where: \.needsComponents) { context.componentNumbers = componentNumbers() }
    return CatalogTable(rows(settings), columns, context: context)
  }
}
