// What this file codes is frozen by the version of `SourceScan.kind`.

/// The sources of a component that cleaning has dropped.
package struct DroppedSources: Codable, Hashable, Sendable {
  /// The component's first pixel.
  package var component: PixelPlace
  /// The numbers of the sources within the component, as in ``Source/part``.
  package var parts: [Int]

  package init(component: PixelPlace, parts: [Int]) {
    self.component = component
    self.parts = parts
  }
}

extension PatchScan {
  /// Measures the sources of components that were not dropped.
  ///
  /// - Parameters:
  ///   - wanted: the first pixels of the components to measure.
  ///   - dropped: the dropped sources of these components and of others.
  /// - Throws: ``InvalidScan`` if the patch lacks pixels that are needed; `CancellationError` if
  ///   the task is cancelled.
  package func sources(
    of wanted: [PixelPlace], without dropped: [DroppedSources]
  ) throws -> [Source] {
    func wholeComponent(at place: PixelPlace) throws -> Int {
      guard let number = number(ofComponentAt: place), !validArea.cuts(extent(of: number).box)
      else {
        throw InvalidScan("no whole component begins at column \(place.column), row \(place.row)")
      }
      return number
    }
    var parts: [PixelPlace: Set<Int>] = [:]
    for sources in dropped {
      parts[sources.component] = Set(sources.parts)
      try release(Set(sources.parts), ofComponent: try wholeComponent(at: sources.component))
    }
    return try wanted.flatMap { place -> [Source] in
      guard let sources = try measures(of: try wholeComponent(at: place), first: place).sources
      else {
        throw InvalidScan("too little of the image around \(place)")
      }
      return sources.filter { parts[place]?.contains($0.part) != true }
    }
  }
}
