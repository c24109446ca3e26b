/// Drops each source that would not have been detected without the wings of a brighter one nearby,
/// and adds its light to the brighter one: the brighter source *absorbs* the fainter one.
///
/// ``CleaningProfile`` models the wings; the parameter is their exponent, SExtractor's CLEAN_PARAM.
///
/// The result depends on the sources alone, and not on the order in which they were found: from the
/// brightest to the faintest, each source that has not been absorbed absorbs every fainter one that
/// its wings cover. SExtractor goes through all pairs in the order of its list instead, so that a
/// source may have absorbed others before it is absorbed itself. Here, every missing source was
/// absorbed by a source that is in the catalogue.
package struct Cleaner {
  /// CLEAN_PARAM.
  let parameter: Double

  package init(parameter: Double) { self.parameter = parameter }

  /// The sources that are not dropped, in the same order, each with what it absorbed.
  package func survivors(of sources: [Source]) -> [Source] {
    let absorbers = absorbers(of: sources)
    guard absorbers.contains(where: { $0 != nil }) else { return sources }
    var rows = sources
    for (index, absorber) in absorbers.enumerated() {
      if let absorber { rows[absorber].absorb(sources[index]) }
    }
    return zip(rows, absorbers).compactMap { $1 == nil ? $0 : nil }
  }

  /// For each source, the index of the source that absorbs it; `nil` if it stays. Of two equally
  /// bright sources, the first counts as brighter. A source that was not measured for cleaning
  /// stays, and absorbs none.
  ///
  /// Takes about n log n time if the n sources are distributed as in the sky, because each source
  /// compares only the sources within its reach.
  package func absorbers(of sources: [Source]) -> [Int?] {
    let profiles = sources.map { CleaningProfile($0, parameter: parameter) }
    let order = Self.brightestFirst(profiles)
    var ranks = [Int](repeating: 0, count: sources.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    let classes = Self.sizeClasses(profiles)
    var absorbers = [Int?](repeating: nil, count: sources.count)
    for (rank, index) in order.enumerated() where absorbers[index] == nil {
      guard let profile = profiles[index] else { continue }
      for rows in classes {
        rows.forEach(near: profile) { other in
          guard ranks[other] > rank, absorbers[other] == nil, let fainter = profiles[other] else {
            return
          }
          if profile.covers(fainter) { absorbers[other] = index }
        }
      }
    }
    return absorbers
  }

  static func brightestFirst(_ profiles: [CleaningProfile?]) -> [Int] {
    profiles.indices.filter { profiles[$0] != nil }.sorted { one, other in
      let (flux, another) = (profiles[one]?.flux ?? 0, profiles[other]?.flux ?? 0)
      return flux == another ? one < other : flux > another
    }
  }

  /// The sources that can be absorbed, grouped by powers of two of their size. The distance at
  /// which a source is absorbed depends on its size, so in a single group one large source would
  /// extend the search for all.
  private static func sizeClasses(_ profiles: [CleaningProfile?]) -> [ProfileIndex] {
    var classes: [Int: [Int]] = [:]
    for (index, profile) in profiles.enumerated() {
      guard let profile, profile.height < .infinity else { continue }
      classes[Int(profile.semiMajorAxis.exponent), default: []].append(index)
    }
    return classes.values.map { ProfileIndex($0, of: profiles) }
  }
}

extension Source {
  /// Adds the light of another source. As in SExtractor, the shape of the absorbing source stays the
  /// same.
  fileprivate mutating func absorb(_ other: Source) {
    flux += other.flux
    variance += other.variance
    isophotal.absorb(other.isophotal)
    (xMin, yMin) = (min(xMin, other.xMin), min(yMin, other.yMin))
    (xMax, yMax) = (max(xMax, other.xMax), max(yMax, other.yMax))
    flags.formUnion(other.flags.intersection([.saturated, .truncated]))
  }
}
