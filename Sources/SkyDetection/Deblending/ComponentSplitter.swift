/// Splits components into sources, assigns each pixel to a source, and sums the sources' pixels.
struct ComponentSplitter {
  private var deblender: Deblender
  /// The minimum number of pixels of a source; `nil` if sources are not measured for cleaning.
  private let cleaningArea: Int?
  /// The source of each of the component's pixels; empty if the component is one source.
  private(set) var owners: [Int] = []

  /// Whether the last component has too much in it to be deblended, and is one source.
  var isOverfull: Bool { deblender.isOverfull }

  init(deblender: Deblender, cleaningArea: Int? = nil) {
    self.deblender = deblender
    self.cleaningArea = cleaningArea
  }

  /// The cumulative sums of the branches' models at a pixel.
  private var shares: [Double] = []

  /// The sources of a component: itself, or its branches. A pixel between branches is assigned to
  /// one of them at random, with probabilities in proportion to the branches' models there.
  /// Assigning it to the most probable branch would always favour the brighter one. The random
  /// number follows from the pixel's place in the image, so it is the same however the image is
  /// cut.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  mutating func sources(in component: Component) throws -> [SourceSums] {
    let branches = try deblender.findBranches(of: component, threshold: component.threshold)
    guard branches.count > 1 else {
      owners.removeAll(keepingCapacity: true)
      var measured = SourceSums()
      for pixel in 0..<component.area { measured.add(pixel, of: component) }
      if let cleaningArea {
        measured.cleaning = CleaningMeasures(
          excesses: component.excesses(
            of: ScanOrder.order(of: Array(0..<Int32(component.area)), in: component)),
          values: component.values,
          isWeighted: !component.limits.isEmpty, flux: measured.moments.weight,
          threshold: component.threshold, minimumArea: cleaningArea)
      }
      return [measured]
    }
    let models = branches.map { BranchModel($0, of: component) }
    try share(component, branches, models)
    var measured = models.map { SourceSums(branch: $0) }
    for pixel in 0..<component.area { measured[owners[pixel]].add(pixel, of: component) }
    if let cleaningArea { measureForCleaning(&measured, branches, in: component, cleaningArea) }
    return measured
  }

  /// As in SExtractor, a branch's own pixels come before the faint ones that it was given.
  private func measureForCleaning(
    _ measured: inout [SourceSums], _ branches: [Branch], in component: Component,
    _ minimumArea: Int
  ) {
    var values = [[Float]](repeating: [], count: measured.count)
    for (pixel, owner) in owners.enumerated() { values[owner].append(component.values[pixel]) }
    var isOwn = [Bool](repeating: false, count: component.area)
    var lists = branches.map { ScanOrder.order(of: $0.pixels, in: component) }
    for pixel in lists.joined() { isOwn[Int(pixel)] = true }
    let all = ScanOrder.order(of: Array(0..<Int32(component.area)), in: component)
    for pixel in all where !isOwn[Int(pixel)] { lists[owners[Int(pixel)]].append(pixel) }
    for source in measured.indices {
      measured[source].cleaning = CleaningMeasures(
        excesses: component.excesses(of: lists[source]), values: values[source],
        isWeighted: !component.limits.isEmpty, flux: measured[source].moments.weight,
        threshold: component.threshold, minimumArea: minimumArea)
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
    let origin = component.origin
    for pixel in owners.indices where owners[pixel] < 0 {
      if pixel.isMultiple(of: 256) { try Task.checkCancellation() }
      let (x, y) = (component.x[pixel], component.y[pixel])
      owners[pixel] = owner(
        of: PixelPlace(row: origin.row + Int(y), column: origin.column + Int(x)), x, y, models)
    }
  }

  /// A pixel's random number: the first number of SplitMix64 with the pixel's place as the seed
  /// (Steele, Lea & Flood 2014, OOPSLA, "Fast splittable pseudorandom number generators").
  private static func lot(of place: PixelPlace) -> UInt64 {
    var lot = (UInt64(place.row) << 32 | UInt64(place.column)) &+ 0x9e37_79b9_7f4a_7c15
    lot = (lot ^ (lot >> 30)) &* 0xbf58_476d_1ce4_e5b9
    lot = (lot ^ (lot >> 27)) &* 0x94d0_49bb_1331_11eb
    return lot ^ (lot >> 31)
  }

  /// Draws the branch that a pixel belongs to; the nearest branch, if the pixel is too far from all
  /// of them.
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

/// The sums from which a source's measures are computed, in coordinates counted from the first
/// column and row of its component; the isophotal measures are in the image's coordinates.
struct SourceSums {
  private(set) var moments = Moments()
  private(set) var isophotal = IsophotalMeasures()
  private(set) var flux = 0.0
  /// The sum of the pixels' relative variances.
  private(set) var variance = 0.0
  /// The sum of the positive pixels, each times its relative variance; 0 if all variances are the same.
  private(set) var weightedFlux = 0.0
  /// SourceSums from all of the source's pixels, if the settings ask for cleaning.
  fileprivate(set) var cleaning: CleaningMeasures?
  private var (left, right) = (Int.max, 0)
  private var (top, bottom) = (Int.max, 0)
  /// The branch that the source was made of; `nil` if the component is one source.
  private let branch: BranchModel?

  init(branch: BranchModel? = nil) { self.branch = branch }

  /// A branch keeps the centre that it had before faint pixels were assigned to it, because these
  /// would shift the centre.
  var center: (x: Double, y: Double) {
    branch.map { ($0.x, $0.y) } ?? (moments.meanX, moments.meanY)
  }
  var columns: Range<Int> { left..<right }
  var rows: Range<Int> { top..<bottom }
  var isBlended: Bool { branch != nil }
  /// The rectangle of the pixels that were detected as the source: all of its pixels, or those of
  /// the branch without the faint pixels that were assigned later.
  var found: PixelBox { branch?.box ?? box }
  /// The rectangle of all of the source's pixels.
  var box: PixelBox { PixelBox(columns: columns, rows: rows) }

  mutating func add(_ pixel: Int, of component: Component) {
    let measured = component.measured(pixel)
    isophotal.add(measured)
    let (x, y) = (component.x[pixel], component.y[pixel])
    moments.add(Double(measured.smoothed), Double(x), Double(y))
    flux += Double(measured.value)
    if component.variances.isEmpty {
      variance += 1
    } else {
      let own = component.variances[pixel]
      variance += Double(own)
      weightedFlux += Double(max(0, measured.value)) * Double(own)
    }
    (left, right) = (min(left, Int(x)), max(right, Int(x) + 1))
    (top, bottom) = (min(top, Int(y)), max(bottom, Int(y) + 1))
  }
}
