import SkyDetection

/// Which components of an image are to be measured once more, as cleaning has dropped sources that had a
/// part in their measures; and in which patches.
///
/// A component's sources see the same pixels whatever patch holds them, so how they are put into patches is
/// of no account.
struct CleanedComponents {
  /// What is measured in one patch.
  struct Request: Sendable {
    var components: [PixelPlace]
    var dropped: [DroppedSources]
    /// What the patch is to hold.
    var box: PixelBox
    /// What is known of the sources.
    var known: [Source]
  }

  /// By the sector that the components belong to.
  private(set) var requests: [Int: [Request]] = [:]

  private let settings: SourceSettings
  private let sources: [Source]
  /// Which source drops each.
  private let eaters: [Int?]
  /// Where each component's sources are.
  private var ranges: [PixelPlace: Range<Int>] = [:]

  /// - Parameters:
  ///   - sources: in their order in the image.
  ///   - parameter: CLEAN_PARAM.
  init(_ sources: [Source], _ settings: SourceSettings, parameter: Double) {
    self.settings = settings
    self.sources = sources
    eaters = Cleaner(parameter: parameter).eaters(of: sources)
    var start = 0
    while start < sources.count {
      let place = sources[start].component
      let end = sources[start...].firstIndex { $0.component != place } ?? sources.count
      ranges[place] = start..<end
      start = end
    }
    request()
  }

  /// What a component needs to be measured.
  private struct Need {
    var component: PixelPlace
    /// The components of which sources were dropped that it is measured by.
    var dropped: Set<PixelPlace>
    var box: PixelBox
  }

  private mutating func request() {
    var needs: [Int: [Need]] = [:]
    let dropped = BoxRows(eaters.indices.filter { eaters[$0] != nil }.map { ($0, sources[$0].box) })
    for place in ranges.keys.sorted() {
      guard let need = need(of: place, dropped) else { continue }
      needs[settings.grid.number(x: place.column, y: place.row), default: []].append(need)
    }
    for (sector, needs) in needs { requests[sector] = grouped(needs, of: sector) }
  }

  private func need(of place: PixelPlace, _ dropped: BoxRows) -> Need? {
    guard let range = ranges[place] else { return nil }
    var near: Set<PixelPlace> = []
    for index in range where eaters[index] == nil && !sources[index].flags.contains(.notParted) {
      dropped.forEach(in: sources[index].reach(settings.detection)) {
        near.insert(sources[$0].component)
      }
    }
    guard !near.isEmpty else { return nil }
    let own = box(of: place)
    var needed = own.grown(by: settings.detection.room(around: own))
    for place in near { needed = needed.union(box(of: place).grown(by: settings.kernel.reach + 2)) }
    let rectangle = settings.grid.grown(PixelRectangle(needed), by: 0)
    // There is no patch for what lies so far apart: its own share is left out.
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

  /// Most in one patch around their sector; what reaches farther out in one of its own.
  private func grouped(_ needs: [Need], of sector: Int) -> [Request] {
    let room = (SectorGrid.maximumPatchSide - SectorGrid.maximumSide) / 2
    let around = settings.grid.grown(settings.grid[sector], by: room)
    func isNear(_ need: Need) -> Bool {
      around.holds(settings.grid.grown(PixelRectangle(need.box), by: 0))
    }
    let (near, far) = (needs.filter(isNear), needs.filter { !isNear($0) })
    return ([near] + far.map { [$0] }).filter { !$0.isEmpty }.map(request)
  }

  private func request(_ needs: [Need]) -> Request {
    let dropped = needs.reduce(into: Set<PixelPlace>()) { $0.formUnion($1.dropped) }.sorted()
    return Request(
      components: needs.map(\.component),
      dropped: dropped.map { place in
        DroppedSources(
          component: place,
          parts: (ranges[place] ?? 0..<0).filter { eaters[$0] != nil }.map { sources[$0].part })
      },
      box: needs.dropFirst().reduce(needs[0].box) { $0.union($1.box) },
      known: needs.flatMap { need in
        (ranges[need.component] ?? 0..<0).filter { eaters[$0] == nil }.map { sources[$0] }
      })
  }
}
