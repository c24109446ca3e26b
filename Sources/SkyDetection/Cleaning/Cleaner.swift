/// Drops the sources that would not have been found without the wings of a brighter one nearby, and
/// adds them to that one.
///
/// The wings are those of ``CleaningProfile``, and the parameter is SExtractor's CLEAN_PARAM, their
/// exponent.
///
/// Which are dropped depends on the sources alone, and not on the order in which they were found: from
/// the brightest to the faintest, each that is still there eats every fainter one that it covers.
/// SExtractor instead goes through all pairs in the order of its list, so that a source may have eaten
/// others before it is eaten itself; here what is missing is missing on account of a source that
/// is there.
///
/// sep's heights, too, are not quite the ones meant: it skips a pixel in its search for the
/// highest, and depends on the pixels' order. With heights as here it drops the same sources.
package struct Cleaner {
  /// CLEAN_PARAM.
  let parameter: Double

  package init(parameter: Double) { self.parameter = parameter }

  /// Those that are not dropped, in the same order, with what they have eaten.
  package func survivors(of sources: [Source]) -> [Source] {
    let eaters = eaters(of: sources)
    var rows = sources
    for (index, eater) in eaters.enumerated() {
      if let eater { rows[eater].absorb(sources[index]) }
    }
    return zip(rows, eaters).compactMap { $1 == nil ? $0 : nil }
  }

  /// Of each source, which one drops it; none does, if it stays. Of equally bright ones the first is
  /// brighter. Sources that were not measured for cleaning stay, and eat none.
  ///
  /// Takes a time of about n log n, as long as n sources lie as in the sky: each looks at what is
  /// within its reach only.
  package func eaters(of sources: [Source]) -> [Int?] {
    let profiles = sources.map { CleaningProfile($0, parameter: parameter) }
    let order = Self.brightestFirst(profiles)
    var ranks = [Int](repeating: 0, count: sources.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    let classes = Self.sizeClasses(profiles)
    var eaters = [Int?](repeating: nil, count: sources.count)
    for (rank, index) in order.enumerated() where eaters[index] == nil {
      guard let profile = profiles[index] else { continue }
      for rows in classes {
        rows.forEach(near: profile) { other in
          guard ranks[other] > rank, eaters[other] == nil, let fainter = profiles[other] else {
            return
          }
          if profile.covers(fainter) { eaters[other] = index }
        }
      }
    }
    return eaters
  }

  static func brightestFirst(_ profiles: [CleaningProfile?]) -> [Int] {
    profiles.indices.filter { profiles[$0] != nil }.sorted { one, other in
      let (flux, another) = (profiles[one]?.flux ?? 0, profiles[other]?.flux ?? 0)
      return flux == another ? one < other : flux > another
    }
  }

  /// What may be eaten, by powers of two of its size: how far away something is eaten depends on
  /// its size, and one that is large would have all looked for as far away.
  private static func sizeClasses(_ profiles: [CleaningProfile?]) -> [CleaningRows] {
    var classes: [Int: [Int]] = [:]
    for (index, profile) in profiles.enumerated() {
      guard let profile, profile.height < .infinity else { continue }
      classes[Int(profile.semiMajorAxis.exponent), default: []].append(index)
    }
    return classes.values.map { CleaningRows($0, of: profiles) }
  }
}

extension Source {
  /// Takes up a source whose light is its own. As in SExtractor, its shape and ISOAREA_IMAGE stay what they
  /// are.
  fileprivate mutating func absorb(_ other: Source) {
    flux += other.flux
    variance += other.variance
    peak = max(peak, other.peak)
    area += other.area
    (xMin, yMin) = (min(xMin, other.xMin), min(yMin, other.yMin))
    (xMax, yMax) = (max(xMax, other.xMax), max(yMax, other.yMax))
    flags.formUnion(other.flags.intersection([.saturated, .truncated]))
  }
}
