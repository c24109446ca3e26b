/// Parts components into sources, shares their pixels out, and sums them up.
struct ComponentParter {
  private var deblender: Deblender
  /// How many pixels a source has at least, if sources are measured for cleaning.
  private let cleaningArea: Int?
  /// Which source each of the component's pixels belongs to; empty, if it is one source.
  private(set) var owners: [Int] = []

  init(deblender: Deblender, cleaningArea: Int? = nil) {
    self.deblender = deblender
    self.cleaningArea = cleaningArea
  }

  /// The sources of a component: itself, or its branches. What lies between branches goes where it
  /// is the most probable by their models.
  ///
  /// - Throws: `CancellationError`.
  mutating func sources(in component: Component) throws -> [Measured] {
    let branches = try deblender.part(component, threshold: component.threshold)
    guard branches.count > 1 else {
      owners.removeAll(keepingCapacity: true)
      var measured = Measured()
      for pixel in 0..<component.area { measured.add(pixel, of: component) }
      if let cleaningArea {
        measured.cleaning = CleaningMeasures(
          smoothed: component.smoothed, values: component.values,
          flux: measured.moments.weight, threshold: component.threshold, minimumArea: cleaningArea)
      }
      return [measured]
    }
    let models = branches.map { BranchModel($0, of: component) }
    try share(component, branches, models)
    var measured = models.map { Measured(center: ($0.x, $0.y)) }
    for pixel in 0..<component.area { measured[owners[pixel]].add(pixel, of: component) }
    if let cleaningArea { measureForCleaning(&measured, in: component, cleaningArea) }
    return measured
  }

  private func measureForCleaning(
    _ measured: inout [Measured], in component: Component, _ minimumArea: Int
  ) {
    var smoothed = [[Float]](repeating: [], count: measured.count)
    var values = smoothed
    for (pixel, owner) in owners.enumerated() {
      smoothed[owner].append(component.smoothed[pixel])
      values[owner].append(component.values[pixel])
    }
    for source in measured.indices {
      measured[source].cleaning = CleaningMeasures(
        smoothed: smoothed[source], values: values[source],
        flux: measured[source].moments.weight, threshold: component.threshold,
        minimumArea: minimumArea)
    }
  }

  private mutating func share(
    _ component: Component, _ branches: [Branch], _ models: [BranchModel]
  ) throws {
    owners.removeAll(keepingCapacity: true)
    owners.append(contentsOf: repeatElement(-1, count: component.area))
    for (index, branch) in branches.enumerated() {
      for pixel in branch.pixels { owners[Int(pixel)] = index }
    }
    for pixel in owners.indices where owners[pixel] < 0 {
      if pixel.isMultiple(of: 256) { try Task.checkCancellation() }
      var best = -Double.infinity
      for (index, model) in models.enumerated() {
        let value = model.logValue(component.x[pixel], component.y[pixel])
        if value > best { (best, owners[pixel]) = (value, index) }
      }
      if owners[pixel] < 0 { owners[pixel] = 0 }
    }
  }
}

/// What a source's measures are made of, counted from the first column and row of its component.
struct Measured {
  private(set) var moments = Moments()
  private(set) var flux = 0.0
  /// The sum of the pixels' variances, in proportion.
  private(set) var variance = 0.0
  private(set) var area = 0
  private(set) var peak = -Float.infinity
  /// Of all its pixels, if it is asked for.
  fileprivate(set) var cleaning: CleaningMeasures?
  private var (left, right) = (Int.max, 0)
  private var (top, bottom) = (Int.max, 0)
  /// Where a branch has its centre, before faint pixels are shared out: they would pull it.
  private let blendedCenter: (x: Double, y: Double)?

  init(center: (x: Double, y: Double)? = nil) { blendedCenter = center }

  var center: (x: Double, y: Double) { blendedCenter ?? (moments.meanX, moments.meanY) }
  var columns: Range<Int> { left..<right }
  var rows: Range<Int> { top..<bottom }
  var isBlended: Bool { blendedCenter != nil }

  mutating func add(_ pixel: Int, of component: Component) {
    moments.add(
      Double(component.smoothed[pixel]), Double(component.x[pixel]), Double(component.y[pixel]))
    flux += Double(component.values[pixel])
    variance += component.variances.isEmpty ? 1 : Double(component.variances[pixel])
    peak = max(peak, component.values[pixel])
    area += 1
    let (x, y) = (Int(component.x[pixel]), Int(component.y[pixel]))
    (left, right) = (min(left, x), max(right, x + 1))
    (top, bottom) = (min(top, y), max(bottom, y + 1))
  }
}
