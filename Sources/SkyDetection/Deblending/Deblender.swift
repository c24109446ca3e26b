/// Finds the branches of a component: the parts that are sources of their own above the level where
/// they join.
///
/// The levels are spaced exponentially from the threshold to the highest pixel. From the top level
/// down, each pixel joins the sets of its neighbours. Where at least two branches meet, each one
/// whose flux above the junction is more than a given fraction of the component's flux is a source
/// (Bertin & Arnouts 1996, A&AS 117, 393, section 6; the SExtractor manual, "Deblending"). A forest
/// of disjoint sets handles all levels in one pass over the pixels (Salembier, Oliveras & Garrido
/// 1998, IEEE Trans. Image Process. 7, 555).
struct Deblender {
  private let levelCount: Int
  /// The fraction of the component's flux that a branch must have.
  private let contrast: Double
  private let minimumArea: Int

  private var thresholds: [Float] = []
  /// The component's pixels, from the highest level to the lowest.
  private var order: [Int32] = []
  /// The place in ``order`` where each level's pixels begin. The highest level is last.
  private var starts: [Int] = []
  private var levels: [Int32] = []
  private var places: [Int] = []
  private let forest = PixelForest()
  /// The sets of pixels above the level that was handled last.
  private var nodes: [Node] = []
  /// Whether the component has too many sets above a level to be deblended, as in SExtractor, which keeps so many
  /// (`NSONMAX` in its source): a component of noise, or one that holds much of the image.
  private(set) var isOverfull = false
  private static let mostSets = 1024
  private var joined: [Node] = []
  private var found: [Node] = []

  init(levelCount: Int = 32, contrast: Double = 0.005, minimumArea: Int) {
    self.levelCount = levelCount
    self.contrast = contrast
    self.minimumArea = min(minimumArea, 3)
  }

  /// A set of connected pixels above a level, with at least the minimum area.
  private struct Node {
    let level: Int
    /// One of the set's pixels, and the number of pixels. They are the first ones in the list of
    /// that pixel's set.
    var root: Int32
    var count: Int32
    /// Whether the set was not split at a higher level.
    var isWhole: Bool
    /// Whether the set has enough flux above the level.
    var isStrong = false
  }

  /// The branches of a component that are sources of their own; none if the component is one
  /// source, or ``isOverfull``.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  mutating func findBranches(of component: Component, threshold: Float) throws -> [Branch] {
    isOverfull = false
    guard component.area >= 2 * minimumArea, let peak = component.smoothed.max(), peak > threshold
    else { return [] }
    found.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    sort(component, threshold, peak)
    forest.begin(with: component)
    let flux = component.smoothed.reduce(0.0) { $0 + Double($1) }
    // The caller looks after some hundred components whether the task is cancelled.
    let isLarge = component.area > 4096
    for level in stride(from: levelCount - 1, through: 0, by: -1) {
      let pixels = starts[level + 1]..<starts[level]
      guard !pixels.isEmpty else { continue }
      if isLarge { try Task.checkCancellation() }
      if nodes.count > 1 { weigh(above: level, atLeast: contrast * flux) }
      for place in pixels {
        forest.add(order[place], smoothed: component.smoothed[Int(order[place])])
      }
      join(pixels, at: level)
      // SExtractor notices the last one of the highest level when it is there, and others from the next level.
      isOverfull = nodes.count > Self.mostSets - (level < levelCount - 1 ? 1 : 0)
      if isOverfull { return [] }
    }
    return found.map { node in
      Branch(
        pixels: forest.pixels(node.root, count: node.count), threshold: thresholds[node.level])
    }
  }

  /// Decides which branches are strong, before the pixels of the level join them.
  private mutating func weigh(above level: Int, atLeast flux: Double) {
    let junction = Double(thresholds[level + 1])
    for index in nodes.indices {
      let node = nodes[index]
      nodes[index].isStrong = forest.flux(node.root) - junction * Double(node.count) > flux
    }
  }

  /// Finds which branches met, and which new ones appeared.
  private mutating func join(_ pixels: Range<Int>, at level: Int) {
    // For each set: how many strong branches it contains, and whether all of them are whole.
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

  /// Sorts the pixels by level, and within a level row by row.
  private mutating func sort(_ component: Component, _ threshold: Float, _ peak: Float) {
    let ratio = root(of: Double(peak) / Double(threshold), degree: levelCount)
    var level = Double(threshold)
    thresholds.removeAll(keepingCapacity: true)
    for _ in 0...levelCount {
      thresholds.append(Float(level))
      level *= ratio
    }
    findLevels(component.smoothed)
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(0, count: levelCount + 1))
    for level in levels { starts[Int(level)] += 1 }
    for level in stride(from: levelCount - 1, through: 0, by: -1) {
      starts[level] += starts[level + 1]
    }
    // Each level's pixels are placed from its start, which is where the next level ends.
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: starts.dropFirst())
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: repeatElement(0, count: levels.count))
    for (pixel, level) in levels.enumerated() {
      order[places[Int(level)]] = Int32(pixel)
      places[Int(level)] += 1
    }
  }

  /// Counts, for each value, the thresholds that it exceeds, without the first one. Comparing all
  /// values with each threshold in turn, several at a time, is faster than a search per value.
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

/// A part of a component that is a source of its own.
struct Branch {
  /// The component's pixels that belong to the branch, in ascending order.
  let pixels: [Int32]
  /// The level above which the pixels lie.
  let threshold: Float
}

/// The positive number whose power of the given degree is `power`, which is at least 1. Square
/// roots and Newton's method give the same result on every machine; a library's `pow` may not.
func root(of power: Double, degree: Int) -> Double {
  var (power, degree) = (power, degree)
  while degree > 1, degree.isMultiple(of: 2) { (power, degree) = (power.squareRoot(), degree / 2) }
  var root = 1 + (power - 1) / Double(degree)
  while degree > 1 {
    var below = 1.0
    for _ in 1..<degree { below *= root }
    let next = root - (root - power / below) / Double(degree)
    // From above, the iteration falls towards the root until rounding makes it rise.
    guard next < root else { break }
    root = next
  }
  return root
}
