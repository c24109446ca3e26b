import SkyDetection

/// The components of an image whose sources are measured again without the pixels of sources that
/// cleaning has dropped, grouped by patches.
///
/// The measures of a component's sources do not depend on the patch that holds it, so the grouping
/// does not affect the catalogue.
struct CleanedComponents {
  /// The components that are measured in one patch.
  struct Request: Sendable {
    var components: [PixelPlace]
    var dropped: [DroppedSources]
    /// The box that the patch must contain.
    var box: PixelBox
    /// The sources as they were measured before.
    var known: [Source]
  }

  /// The requests, by the sector that owns the components.
  private(set) var requests: [Int: [Request]] = [:]

  private let settings: SourceScan.Settings
  private let sources: [Source]
  /// For each source, the index of the source that absorbs it.
  private let absorbers: [Int?]
  /// The range of each component's sources.
  private var ranges: [PixelPlace: Range<Int>] = [:]

  /// - Parameters:
  ///   - sources: the image's sources, in row order.
  ///   - parameter: CLEAN_PARAM.
  init(_ sources: [Source], _ settings: SourceScan.Settings, parameter: Double) {
    self.settings = settings
    self.sources = sources
    absorbers = Cleaner(parameter: parameter).absorbers(of: sources)
    var start = 0
    while start < sources.count {
      let place = sources[start].component
      let end = sources[start...].firstIndex { $0.component != place } ?? sources.count
      ranges[place] = start..<end
      start = end
    }
    makeRequests()
  }

  /// The parts of the image that a component needs for its measurement.
  private struct Need {
    var component: PixelPlace
    /// The nearby components with dropped sources.
    var dropped: Set<PixelPlace>
    var box: PixelBox
  }

  private mutating func makeRequests() {
    var needs: [Int: [Need]] = [:]
    let dropped = BoxIndex(
      absorbers.indices.filter { absorbers[$0] != nil }.map { ($0, sources[$0].box) })
    for place in ranges.keys.sorted() {
      guard let need = need(of: place, dropped) else { continue }
      needs[settings.grid.number(x: place.column, y: place.row), default: []].append(need)
    }
    for (sector, needs) in needs { requests[sector] = grouped(needs, of: sector) }
  }

  private func need(of place: PixelPlace, _ dropped: BoxIndex) -> Need? {
    guard let range = ranges[place] else { return nil }
    let kept = range.filter {
      absorbers[$0] == nil && !settings.detection.isTooLarge(sources[$0].box)
    }
    guard kept.contains(where: { dropped.holds(in: sources[$0].reach(settings.detection)) }) else {
      return nil
    }
    // New measures may depend on more of the image than the first ones did.
    var near: Set<PixelPlace> = []
    for index in kept {
      dropped.forEach(in: sources[index].room(settings.detection)) {
        near.insert(sources[$0].component)
      }
    }
    // Its own dropped sources are not measured again either.
    if range.contains(where: { absorbers[$0] != nil }) { near.insert(place) }
    let own = box(of: place)
    var needed = own.grown(by: settings.detection.room(around: own))
    let margin = settings.detection.reach + 2
    for place in near { needed = needed.union(box(of: place).grown(by: margin)) }
    let rectangle = settings.grid.grown(PixelRectangle(needed), by: 0)
    // No patch can hold components that are so far apart, so this component keeps its first
    // measures.
    guard max(rectangle.width, rectangle.height) <= SectorGrid.maximumPatchSide else {
      return nil
    }
    return Need(component: place, dropped: near, box: needed)
  }

  /// The rectangle of a component, which its sources fill.
  private func box(of component: PixelPlace) -> PixelBox {
    let sources = sources[ranges[component] ?? 0..<0]
    return sources.dropFirst().reduce(sources[sources.startIndex].box) { $0.union($1.box) }
  }

  /// Puts most components into one patch around their sector. A component that extends farther gets
  /// a patch of its own.
  private func grouped(_ needs: [Need], of sector: Int) -> [Request] {
    let room = (SectorGrid.maximumPatchSide - SectorGrid.maximumSide) / 2
    let around = settings.grid.grown(settings.grid[sector], by: room)
    func isNear(_ need: Need) -> Bool {
      around.holds(settings.grid.grown(PixelRectangle(need.box), by: 0))
    }
    let (near, far) = (needs.filter(isNear), needs.filter { !isNear($0) })
    return ([near] + far.map { [$0] }).filter { !$0.isEmpty }.map(makeRequest)
  }

  private func makeRequest(_ needs: [Need]) -> Request {
    let dropped = needs.reduce(into: Set<PixelPlace>()) { $0.formUnion($1.dropped) }.sorted()
    return Request(
      components: needs.map(\.component),
      dropped: dropped.map { place in
        DroppedSources(
          component: place,
          parts: (ranges[place] ?? 0..<0).filter { absorbers[$0] != nil }.map { sources[$0].part })
      },
      box: needs.dropFirst().reduce(needs[0].box) { $0.union($1.box) },
      known: needs.flatMap { need in
        (ranges[need.component] ?? 0..<0).filter { absorbers[$0] == nil }.map { sources[$0] }
      })
  }
}
