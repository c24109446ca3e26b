/// The scan of an image that is entirely in one patch.
extension PatchScan {
  /// The sources of the image. If the settings ask for cleaning, those that it will drop are still among them, and
  /// the others are measured without the pixels of those.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func wholeSources() throws -> [Source] {
    var found: [Source] = []
    for number in 0..<components.count {
      if number.isMultiple(of: 256) { try Task.checkCancellation() }
      let (_, first, area) = extent(of: number)
      guard area >= settings.minimumArea else { continue }
      found += try measures(of: number, first: first).sources ?? []
    }
    guard let parameter = settings.cleaning else { return found }
    return try measuredWithoutDropped(found, Cleaner(parameter: parameter))
  }

  /// The sources, with new measures for those whose measures included pixels of sources that cleaning drops.
  private func measuredWithoutDropped(
    _ found: [Source], _ cleaner: Cleaner
  ) throws -> [Source] {
    guard settings.measuresSurroundings else { return found }
    let absorbers = cleaner.absorbers(of: found)
    let dropped = found.indices.filter { absorbers[$0] != nil }
    guard !dropped.isEmpty else { return found }
    let boxes = BoxIndex(dropped.map { ($0, found[$0].box) })
    var near: Set<PixelPlace> = []
    for (index, source) in found.enumerated() where absorbers[index] == nil {
      guard !settings.isTooLarge(source.box) else { continue }
      if boxes.holds(in: source.reach(settings)) { near.insert(source.component) }
    }
    var parts: [PixelPlace: [Int]] = [:]
    for index in dropped { parts[found[index].component, default: []].append(found[index].part) }
    let measured = try sources(
      of: near.sorted(),
      without: parts.map { DroppedSources(component: $0.key, parts: $0.value) })
    let places = Dictionary(uniqueKeysWithValues: found.enumerated().map { ($1.id, $0) })
    var all = found
    for source in measured {
      if let place = places[source.id] { all[place] = source }
    }
    return all
  }
}
