/// Joins the fragments of components that are not entirely in any sector's patch.
package struct FragmentJoiner: Sendable {
  private var fragments: [Fragment] = []
  private var parents: [Int] = []
  /// The fragment that has each outline pixel.
  private var owners: [PixelPlace: Int] = [:]

  package init() {}

  package mutating func add(_ more: [Fragment]) {
    for fragment in more {
      let number = fragments.count
      fragments.append(fragment)
      parents.append(number)
      for run in fragment.outline {
        for place in run.places { owners[place] = number }
      }
    }
  }

  /// The components, in the order of their first pixels, after all fragments were added.
  ///
  /// The result leaves out a component that continues in a sector that sent no fragment of it. In
  /// the sectors that sent fragments it was incomplete, but the sector that owns it had all of it,
  /// and has reported its sources.
  package func components() -> [JoinedComponent] {
    var joiner = self
    var isElsewhere = [Bool](repeating: false, count: fragments.count)
    for (number, fragment) in fragments.enumerated() {
      for place in fragment.outside.lazy.flatMap(\.places) {
        if let other = owners[place] {
          joiner.join(number, other)
        } else {
          isElsewhere[number] = true
        }
      }
    }
    var components: [Int: JoinedComponent] = [:]
    for (number, fragment) in fragments.enumerated() {
      let root = joiner.root(of: number)
      components[root, default: JoinedComponent(fragment)].join(
        fragment, isElsewhere: isElsewhere[number])
    }
    return components.values.filter { !$0.isElsewhere }.sorted { $0.first < $1.first }
  }

  private mutating func root(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (one, other) = (root(of: one), root(of: other))
    parents[max(one, other)] = min(one, other)
  }
}

/// A component that was joined from the fragments of several sectors.
package struct JoinedComponent {
  /// The smallest rectangle that holds the component's pixels.
  package private(set) var box: PixelBox
  package private(set) var first: PixelPlace
  package private(set) var sums = ExactSums()
  private var last: PixelPlace?
  fileprivate private(set) var isElsewhere = false

  /// The component as one source, without the fluxes in apertures.
  package func source(noise: Double, settings: DetectionSettings) -> Source {
    var source = sums.source(first: first, box: box, noise: noise, settings: settings)
    source.componentEnd = last
    return source
  }

  /// Begins with the place of a fragment, and with empty sums.
  fileprivate init(_ fragment: Fragment) {
    box = fragment.box
    first = fragment.first
  }

  fileprivate mutating func join(_ fragment: Fragment, isElsewhere: Bool) {
    box = box.union(fragment.box)
    first = min(first, fragment.first)
    if let end = fragment.last { last = max(last ?? end, end) }
    sums.add(fragment.sums)
    if isElsewhere { self.isElsewhere = true }
  }
}
