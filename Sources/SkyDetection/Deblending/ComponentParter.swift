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

  /// The probabilities that a pixel belongs to the first branches.
  private var shares: [Double] = []

  /// The sources of a component: itself, or its branches. For what lies between branches lots are drawn,
  /// in proportion to their models there: the most probable would always be the brighter. The
  /// lots follow from the pixel's place in the image, and so are the same for any cut.
  ///
  /// - Parameter origin: where in the image the first pixel of the component's plane is.
  /// - Throws: `CancellationError`.
  mutating func sources(in component: Component, origin: PixelPlace) throws -> [Measured] {
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
    try share(component, branches, models, origin)
    var measured = models.map { Measured(branch: $0) }
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
    _ component: Component, _ branches: [Branch], _ models: [BranchModel], _ origin: PixelPlace
  ) throws {
    owners.removeAll(keepingCapacity: true)
    owners.append(contentsOf: repeatElement(-1, count: component.area))
    for (index, branch) in branches.enumerated() {
      for pixel in branch.pixels { owners[Int(pixel)] = index }
    }
    let row = origin.row + component.rows.lowerBound
    let column = origin.column + component.columns.lowerBound
    for pixel in owners.indices where owners[pixel] < 0 {
      if pixel.isMultiple(of: 256) { try Task.checkCancellation() }
      let (x, y) = (component.x[pixel], component.y[pixel])
      owners[pixel] = owner(
        of: PixelPlace(row: row + Int(y), column: column + Int(x)), x, y, models)
    }
  }

  /// A pixel's lot: the first number of SplitMix64 with its place as the seed (Steele, Lea & Flood
  /// 2014, OOPSLA, "Fast splittable pseudorandom number generators").
  private static func lot(of place: PixelPlace) -> UInt64 {
    var lot = (UInt64(place.row) << 32 | UInt64(place.column)) &+ 0x9e37_79b9_7f4a_7c15
    lot = (lot ^ (lot >> 30)) &* 0xbf58_476d_1ce4_e5b9
    lot = (lot ^ (lot >> 27)) &* 0x94d0_49bb_1331_11eb
    return lot ^ (lot >> 31)
  }

  /// Draws the branch that a pixel belongs to; the nearest, if it is too far from all of them.
  private mutating func owner(
    of place: PixelPlace, _ x: Int32, _ y: Int32, _ models: [BranchModel]
  ) -> Int {
    shares.removeAll(keepingCapacity: true)
    var (total, nearest, least) = (0.0, 0, Double.infinity)
    for (index, model) in models.enumerated() {
      let distance = model.distance(x, y)
      if distance < least { (nearest, least) = (index, distance) }
      total += model.value(at: distance)
      shares.append(total)
    }
    guard total > 1e-31 else { return nearest }
    let drawn = total * Double(Self.lot(of: place) >> 11) * 0x1p-53
    return shares.firstIndex { $0 >= drawn } ?? nearest
  }
}

/// What a source's measures are made of, counted from the first column and row of its component.
struct Measured {
  private(set) var moments = Moments()
  private(set) var flux = 0.0
  /// The sum of the pixels' variances, in proportion.
  private(set) var variance = 0.0
  private(set) var area = 0
  /// How many of its unsmoothed pixels lie over the threshold.
  private(set) var isophotalArea = 0
  private(set) var peak = -Float.infinity
  /// Of all its pixels, if it is asked for.
  fileprivate(set) var cleaning: CleaningMeasures?
  private var (left, right) = (Int.max, 0)
  private var (top, bottom) = (Int.max, 0)
  /// What it is made of, if it was parted from others.
  private let branch: BranchModel?

  init(branch: BranchModel? = nil) { self.branch = branch }

  /// That of a branch is as it was before faint pixels were shared out: they would pull it.
  var center: (x: Double, y: Double) {
    branch.map { ($0.x, $0.y) } ?? (moments.meanX, moments.meanY)
  }
  var columns: Range<Int> { left..<right }
  var rows: Range<Int> { top..<bottom }
  var isBlended: Bool { branch != nil }
  /// The rectangle of what was found to be a source: all of it, or the branch without faint pixels.
  var found: PixelBox { branch?.box ?? PixelBox(columns: columns, rows: rows) }

  mutating func add(_ pixel: Int, of component: Component) {
    moments.add(
      Double(component.smoothed[pixel]), Double(component.x[pixel]), Double(component.y[pixel]))
    let value = component.values[pixel]
    flux += Double(value)
    var limit = component.unitThreshold
    if component.variances.isEmpty {
      variance += 1
    } else {
      let own = component.variances[pixel]
      variance += Double(own)
      limit *= own.squareRoot()
    }
    peak = max(peak, value)
    area += 1
    if value > limit { isophotalArea += 1 }
    let (x, y) = (Int(component.x[pixel]), Int(component.y[pixel]))
    (left, right) = (min(left, x), max(right, x + 1))
    (top, bottom) = (min(top, y), max(bottom, y + 1))
  }
}
