/// Finds the branches of a component: what is a source of its own above where it joins others.
///
/// Levels are spaced exponentially from the threshold to the highest pixel. From the top down,
/// pixels join what they touch; where several branches meet, those are sources whose flux above the
/// junction is more than a part of the component's, if there are at least two (Bertin & Arnouts
/// 1996, A&AS 117, 393, section 6; the SExtractor manual, "Deblending"). Joining by a forest of
/// disjoint sets makes all levels in one pass over the pixels (Salembier, Oliveras & Garrido 1998,
/// IEEE Trans. Image Process. 7, 555).
struct Deblender {
  private let levelCount: Int
  /// The part of the component's flux that a branch must have.
  private let contrast: Double
  private let minimumArea: Int

  private var thresholds: [Float] = []
  /// The component's pixels, from the highest level to the lowest.
  private var order: [Int32] = []
  /// Where each level's pixels begin in the order; the highest level is last.
  private var starts: [Int] = []
  private var levels: [Int32] = []
  private var places: [Int] = []
  private let forest = PixelForest()
  /// What there is above the level that was last gone through.
  private var nodes: [Node] = []
  private var joined: [Node] = []
  private var found: [Node] = []

  init(levelCount: Int = 32, contrast: Double = 0.005, minimumArea: Int) {
    self.levelCount = levelCount
    self.contrast = contrast
    self.minimumArea = min(minimumArea, 3)
  }

  /// Something above a level, with at least the minimum area.
  private struct Node {
    let level: Int
    /// One of its pixels, and how many it has: they begin the list of that pixel's set.
    var root: Int32
    var count: Int32
    /// Whether it was not parted at a higher level.
    var isWhole: Bool
    /// Whether it has enough flux above the level.
    var isStrong = false
  }

  /// The branches of a component that are sources of their own; none, if it is one source.
  ///
  /// - Throws: `CancellationError`.
  mutating func part(_ component: Component, threshold: Float) throws -> [Branch] {
    guard component.area >= 2 * minimumArea, let peak = component.smoothed.max(), peak > threshold
    else { return [] }
    found.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    sort(component, threshold, peak)
    forest.begin(with: component)
    let flux = component.smoothed.reduce(0.0) { $0 + Double($1) }
    for level in stride(from: levelCount - 1, through: 0, by: -1) {
      let pixels = starts[level + 1]..<starts[level]
      guard !pixels.isEmpty else { continue }
      try Task.checkCancellation()
      if nodes.count > 1 { weigh(above: level, atLeast: contrast * flux) }
      for place in pixels {
        forest.add(order[place], smoothed: component.smoothed[Int(order[place])])
      }
      join(pixels, at: level)
    }
    return found.map { node in
      Branch(
        pixels: forest.pixels(node.root, count: node.count), threshold: thresholds[node.level])
    }
  }

  /// Decides which branches are strong, before pixels of the level join them.
  private mutating func weigh(above level: Int, atLeast flux: Double) {
    let junction = Double(thresholds[level + 1])
    for index in nodes.indices {
      let node = nodes[index]
      nodes[index].isStrong = forest.flux(node.root) - junction * Double(node.count) > flux
    }
  }

  /// Finds which branches met, and which new ones there are.
  private mutating func join(_ pixels: Range<Int>, at level: Int) {
    // Of each set: how many strong branches it is made of, and whether all of them are whole.
    for node in nodes { forest.meet(node.root, isStrong: node.isStrong, node.isWhole) }
    joined.removeAll(keepingCapacity: true)
    for node in nodes {
      let root = forest.root(of: node.root)
      if forest.strongCount(root) > 1, node.isWhole, node.isStrong { found.append(node) }
      if forest.isFirstVisit(root) {
        joined.append(
          Node(
            level: level, root: root, count: forest.count(root),
            isWhole: forest.isWhole(root) && forest.strongCount(root) <= 1))
      }
    }
    for place in pixels {
      let root = forest.root(of: order[place])
      guard forest.count(root) >= minimumArea, forest.isFirstVisit(root) else { continue }
      joined.append(Node(level: level, root: root, count: forest.count(root), isWhole: true))
    }
    for node in joined { forest.forgetVisit(node.root) }
    swap(&nodes, &joined)
  }

  // MARK: Levels

  /// Puts the pixels in the order of their levels, and within a level row by row.
  private mutating func sort(_ component: Component, _ threshold: Float, _ peak: Float) {
    let ratio = root(of: Double(peak) / Double(threshold), degree: levelCount)
    var level = Double(threshold)
    thresholds = (0...levelCount).map { _ in
      defer { level *= ratio }
      return Float(level)
    }
    findLevels(component.smoothed)
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(0, count: levelCount + 1))
    for level in levels { starts[Int(level)] += 1 }
    for level in stride(from: levelCount - 1, through: 0, by: -1) {
      starts[level] += starts[level + 1]
    }
    // Each level's pixels go from its start on; then the start is the next level's again.
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: starts.dropFirst())
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: repeatElement(0, count: levels.count))
    for (pixel, level) in levels.enumerated() {
      order[places[Int(level)]] = Int32(pixel)
      places[Int(level)] += 1
    }
  }

  /// Counts for each value how many thresholds but the first it lies over: all values with each
  /// threshold in turn, several at a time, is faster than a search for each value.
  private mutating func findLevels(_ values: [Float]) {
    levels.removeAll(keepingCapacity: true)
    levels.append(contentsOf: repeatElement(0, count: values.count))
    values.withUnsafeBufferPointer { values in
      levels.withUnsafeMutableBufferPointer { levels in
        for threshold in thresholds[1..<levelCount] {
          for pixel in values.indices { levels[pixel] &+= values[pixel] > threshold ? 1 : 0 }
        }
      }
    }
  }
}

/// What is a source of its own in a component.
struct Branch {
  /// Which of the component's pixels belong to it, in ascending order.
  let pixels: [Int32]
  /// The level above which they lie.
  let threshold: Float
}

/// The positive number whose power of that degree is the given one, which is at least 1. By square
/// roots or Newton's method, since they come out the same on every machine, and a library's `pow`
/// need not.
func root(of power: Double, degree: Int) -> Double {
  var (power, degree) = (power, degree)
  while degree > 1, degree.isMultiple(of: 2) { (power, degree) = (power.squareRoot(), degree / 2) }
  var root = 1 + (power - 1) / Double(degree)
  while degree > 1 {
    var below = 1.0
    for _ in 1..<degree { below *= root }
    let next = root - (root - power / below) / Double(degree)
    // From above it falls towards the root, until rounding lets it rise.
    guard next < root else { break }
    root = next
  }
  return root
}
