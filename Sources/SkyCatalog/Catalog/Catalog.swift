package import SkyDetection
import SkyFITS

/// The sources of an image.
package struct Catalog: Sendable {
  /// In the order in which they were added.
  package private(set) var sources: [Source] = []

  /// Where each is, once some are measured again; none is added after that.
  private var places: [SourceID: Int] = [:]

  package init() {}

  package mutating func add(_ more: [Source]) {
    sources.append(contentsOf: more)
  }

  /// Puts sources in the place of what was known of them.
  package mutating func replace(_ measured: [Source]) {
    if places.isEmpty {
      for (index, source) in sources.enumerated() { places[source.id] = index }
    }
    for source in measured {
      if let place = places[source.id] { sources[place] = source }
    }
  }

  /// In their order in the image.
  package var inOrder: [Source] {
    sources.sorted { ($0.component, $0.part) < ($1.component, $1.part) }
  }

  /// The sources as they go into a table, which depends on them alone, and not on the order in which
  /// they were added: in the order in which an image is read, by the first pixel of what hangs together.
  /// What the settings have cleaned away is left out; see ``Cleaner``.
  package func rows(_ settings: DetectionSettings) -> [Source] {
    guard let parameter = settings.cleaning else { return inOrder }
    return Cleaner(parameter: parameter).survivors(of: inOrder)
  }

  /// The sources as a table, numbered from 1, without columns of the sky.
  ///
  /// - Parameters:
  ///   - columns: what is in the columns.
  ///   - settings: what the sources were measured by.
  package func table(_ columns: [Column], settings: DetectionSettings) -> CatalogTable {
    CatalogTable(rows(settings), columns, settings: settings, positions: nil)
  }
}
