/// Components whose sources are measured once more, as what cleaning has dropped nearby is not another
/// source's any more; and a patch of the image that holds them, and what was dropped, whole.
public struct CleanedPatch: Codable, Hashable, Sendable {
  /// By their first pixels, in the order of these.
  var components: [PixelPlace]
  /// What was dropped of these components and others.
  var dropped: [DroppedSources]
  var patch: ImagePatch
  var background: BackgroundPatch
}

/// Which sources of a component cleaning has dropped.
struct DroppedSources: Codable, Hashable, Sendable {
  /// The component's first pixel.
  var component: PixelPlace
  /// As ``Source/part`` counts.
  var parts: [Int]
}

extension PatchScan {
  /// Measures the sources of components that were not dropped.
  ///
  /// - Throws: ``InvalidScan`` if the patch does not hold what it should, `CancellationError`.
  mutating func sources(of cleaned: CleanedPatch) throws -> [Source] {
    var numbers: [PixelPlace: Int] = [:]
    for number in 0..<components.count { numbers[extent(of: number).first] = number }
    func number(_ place: PixelPlace) throws -> Int {
      guard let number = numbers[place], !sight.cuts(extent(of: number).box) else {
        throw InvalidScan("no whole component begins at column \(place.column), row \(place.row)")
      }
      return number
    }
    var dropped: [PixelPlace: Set<Int>] = [:]
    for sources in cleaned.dropped {
      dropped[sources.component] = Set(sources.parts)
      try free(Set(sources.parts), ofComponent: try number(sources.component))
    }
    return try cleaned.components.flatMap { place -> [Source] in
      guard let sources = try sources(of: try number(place), first: place) else {
        throw InvalidScan("too little of the image around \(place)")
      }
      return sources.filter { dropped[place]?.contains($0.part) != true }
    }
  }
}
