/// The components of a patch of an image, and the sources in them.
///
/// It is an object, as it holds much: Swift copies all of a struct for some calls of its methods.
package final class PatchScan {
  let settings: DetectionSettings
  let grid: SectorGrid
  private let patch: PixelRectangle
  private let background: BackgroundPatch
  /// The pixels' values after the background was subtracted.
  private let plane: Plane
  /// The threshold of an unsmoothed pixel of variance 1 that counts for the isophotal area.
  private let analysisThreshold: Float
  /// Whether each pixel is saturated; empty if none is.
  private let saturation: [Bool]
  /// Where pixels have low weights; `nil` if the settings do not ask for their numbers.
  private let lowWeights: LowWeightMap?
  let validArea: ValidArea
  let components: Components
  private var splitter: ComponentSplitter
  /// An earlier component, for its memory.
  private var spare = Component()
  /// `nil` if the settings ask for no measures of the pixels around sources.
  private var mask: SourceMask?
  private let meter: SurroundingsMeter
  /// Measures the sky around each source; `nil` if the settings do not ask for that.
  private var localSky: LocalSkyMeter?
  /// The pixels' noise, for the variances of fluxes; `nil` if the settings do not ask for these.
  private let noise: PixelNoise?

  /// Finds the components.
  ///
  /// - Parameters:
  ///   - plane: the patch's pixels, including their background.
  ///   - patch: the patch's place in the image.
  ///   - background: the image's background in the patch.
  ///   - grid: how the image is cut.
  /// - Throws: `CancellationError` if the task is cancelled.
  package init(
    _ plane: consuming Plane, at patch: PixelRectangle, over background: BackgroundPatch,
    of grid: SectorGrid, settings: DetectionSettings
  ) throws {
    self.settings = settings
    self.grid = grid
    self.background = background
    self.patch = patch
    saturation = try plane.flatten(over: background, at: patch, settings)
    self.plane = plane
    analysisThreshold = Float(
      settings.analysisThreshold(noise: background.unitNoise, typical: background.noise))
    lowWeights =
      settings.measures.contains(.weightCounts)
      ? try LowWeightMap(of: self.plane, kernel: settings.kernel) : nil
    validArea = ValidArea(of: patch, in: grid, reach: settings.reach)
    var finder = RunFinder(
      self.plane, threshold: Float(settings.detectionThreshold(noise: background.unitNoise)),
      isScaled: !settings.isThresholdAbsolute, kernel: settings.kernel,
      columns: validArea.columns.shifted(by: -patch.x),
      rows: validArea.rows.shifted(by: -patch.y))
    try finder.find()
    components = Components(finder)
    splitter = ComponentSplitter(
      deblender: Deblender(
        levelCount: settings.deblendLevels, contrast: settings.deblendContrast,
        minimumArea: settings.minimumArea),
      cleaningArea: settings.cleaning == nil ? nil : settings.minimumArea)
    mask =
      settings.measuresPixelsAround
      ? SourceMask(components, patch: patch, settings.masking) : nil
    noise = settings.measures.contains(.fluxErrors) ? PixelNoise(over: background, settings) : nil
    meter = SurroundingsMeter(
      settings, patch: patch, validArea: validArea, of: grid,
      noise: PixelNoise(over: background, settings))
    let field = MeterField(patch: patch, validArea: validArea, grid: grid)
    localSky = settings.localThickness.map {
      LocalSkyMeter(
        thickness: $0, kernel: settings.kernel, erases: settings.masking != .none, field: field)
    }
  }

  /// A component's rectangle in the image, its first pixel there, and the number of its pixels.
  func extent(of number: Int) -> (box: PixelBox, first: PixelPlace, area: Int) {
    var (box, area) = components.extent(of: number)
    box.columns = box.columns.shifted(by: patch.x)
    box.rows = box.rows.shifted(by: patch.y)
    return (box, place(components.first(of: number)), area)
  }

  /// The component that begins at a pixel of the image.
  func number(ofComponentAt first: PixelPlace) -> Int? {
    // Components are in the order of their first pixels.
    var (low, high) = (0, components.count)
    while low < high {
      let middle = (low + high) / 2
      if place(components.first(of: middle)) < first { low = middle + 1 } else { high = middle }
    }
    return low < components.count && place(components.first(of: low)) == first ? low : nil
  }

  /// The runs of a component, in the image's coordinates.
  func runs(of number: Int) -> some Sequence<PixelRun> {
    components[number].lazy.map { [patch] run in
      PixelRun(row: run.row + patch.y, columns: run.columns.shifted(by: patch.x))
    }
  }

  /// A component's last pixel in the image, in row order; `nil` if the settings do not ask for it.
  private func end(of number: Int) -> PixelPlace? {
    guard settings.measures.contains(.componentEnds) else { return nil }
    return place(components.last(of: number))
  }

  /// Measures the sources of a component that is entirely in the patch. A component that is too
  /// large to be deblended is one source.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func measures(of number: Int, first: PixelPlace) throws -> ComponentMeasures {
    let (box, _, _) = extent(of: number)
    if settings.isTooLarge(box) {
      var source = sums(of: number, in: patch)
        .source(
          first: first, box: box, noise: background.noise, settings: settings)
      guard source.isFinite else { return .sources([]) }
      source.componentEnd = end(of: number)
      if grid.edgeCuts(box) { source.flags.insert(.truncated) }
      let known = source
      source.measure(settings.apertures, in: grid, noise) { aperture, noise in
        aperture.flux(of: known, in: plane, from: patch, noise)
      }
      return .sources([source])
    }
    let component = self.component(number)
    defer { spare = component }
    let measured = try splitter.sources(in: component)
    mask?.take(component, number: number, owners: splitter.owners)
    let mask = mask
    // A patch's smoothed pixels end before its edge, and an ellipse needs a pixel more on each side.
    let reach = settings.reach + 2
    // The box that all measures need, and whether the patch has it.
    var needed = box.grown(by: settings.margin)
    var isEnough = true
    var skies: [Double] = []
    let boxes = measured.map { $0.box.shifted(by: component.origin) }
    let last = place(components.last(of: number))
    switch localSky?.measure(around: boxes, last: last, components.finder) {
    case .measured(let levels, _, let box)?:
      skies = levels
      needed = needed.union(box.grown(by: reach))
    case .needs(let box)?:
      isEnough = false
      needed = needed.union(box.grown(by: reach))
    case nil: break
    }
    let isSkyKnown = isEnough
    let saturation =
      saturation.isEmpty ? [] : places(of: component).map { self.saturation[$0] }
    let groups = ComponentGroups(
      of: measured, in: component, owners: splitter.owners, isSaturated: saturation, over: skies,
      lowWeights: lowWeights.map { map in places(of: component).map { map[$0] } } ?? [],
      noise: background.noise, settings)
    let saturated = saturatedParts(saturation, of: measured.count)
    let end = end(of: number)
    var sources: [Source] = []
    for (part, measured) in measured.enumerated() {
      var source = source(
        measured, part: part, of: first, at: component.origin,
        over: skies.isEmpty ? nil : skies[part])
      // A source without a finite position cannot be measured in apertures.
      guard source.isFinite else { continue }
      groups.give(part, to: &source)
      if let end { source.componentEnd = end }
      if !settings.isListed(area: source.isophotal.area) { source.cleaning = nil }
      if splitter.isOverfull { source.flags.insert(.notDeblended) }
      if saturated[part] { source.flags.insert(.saturated) }
      if grid.edgeCuts(measured.found.shifted(by: component.origin)) {
        source.flags.insert(.truncated)
      }
      if let mask {
        let around = meter.measure(
          &source, groups.errors(of: part), isSkyKnown: isSkyKnown, in: plane, mask)
        needed = needed.union(around.box.grown(by: reach))
        isEnough = isEnough && around.isEnough
        guard isEnough else { continue }
        let known = source
        source.measure(settings.apertures, in: grid, noise) { [plane] aperture, noise in
          aperture.flux(of: known, in: plane, mask, noise)
        }
      }
      if source.isFinite { sources.append(source) }
    }
    return isEnough ? .sources(sources) : .needs(needed)
  }

  /// Releases the pixels of some of a component's sources: from now on they belong to no source.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func release(_ parts: Set<Int>, ofComponent number: Int) throws {
    let component = self.component(number)
    defer { spare = component }
    _ = try splitter.sources(in: component)
    mask?.release(component, owners: splitter.owners, parts)
  }

  /// Takes the pixels of a component. It has the memory of an earlier one, which the caller gives back: a use of it in
  /// its place here would copy it.
  private func component(_ number: Int) -> Component {
    var component = Component()
    swap(&component, &spare)
    component.replace(
      by: components[number], of: components.finder, at: place((0, 0)),
      analysisThreshold: analysisThreshold)
    return component
  }

  /// Sums a component's pixels in a rectangle of the image.
  func sums(of number: Int, in core: PixelRectangle) -> ExactSums {
    var sums = ExactSums()
    for run in components[number] where core.rows.contains(run.row + patch.y) {
      for (offset, column) in run.columns.enumerated()
      where core.columns.contains(column + patch.x) {
        let index = run.row * plane.width + column
        let variance = background.unitNoise * background.unitNoise * plane.variance(at: index)
        let value = plane.values[index]
        let pixel = MeasuredPixel(
          place: place((column, run.row)), value: value,
          smoothed: components.finder.smoothedValues[run.firstValue + offset],
          isOverThreshold: value > analysisThreshold
            * Float(plane.variance(at: index)).squareRoot())
        sums.add(
          pixel, isSaturated: !saturation.isEmpty && saturation[index],
          variance: variance + pixelPhotons(value, variance), noise: background.noise)
      }
    }
    return sums
  }

  /// The variance that photons add to a pixel's value, if each pixel has its own gain; otherwise 0,
  /// as they are counted for the source.
  private func pixelPhotons(_ value: Float, _ variance: Double) -> Double {
    guard settings.scalesGain else { return 0 }
    return settings.photonVariance(of: Double(value)) * variance
      / (background.noise * background.noise)
  }

  private func place(_ pixel: (column: Int, row: Int)) -> PixelPlace {
    PixelPlace(row: pixel.row + patch.y, column: pixel.column + patch.x)
  }

  /// A source's measures, without those in apertures.
  ///
  /// - Parameters:
  ///   - origin: the place of its component.
  ///   - sky: the level of the sky around the source; `nil` if it was not measured.
  private func source(
    _ measured: SourceSums, part: Int, of first: PixelPlace, at origin: PixelPlace,
    over sky: Double?
  ) -> Source {
    let spread = measured.moments.spread(about: measured.center)
    let (noise, unitNoise) = (background.noise, background.unitNoise)
    let flux = measured.flux - Double(measured.isophotal.area) * (sky ?? 0)
    let photons =
      settings.scalesGain
      ? measured.weightedFlux * unitNoise * unitNoise / (noise * noise) : flux
    // Integers are added first: sums of fractions would depend on where the patch begins.
    let (left, top) = (origin.column, origin.row)
    var source = Source(
      component: first, part: part,
      x: Double(left + 1) + measured.center.x, y: Double(top + 1) + measured.center.y,
      xx: spread.xx, yy: spread.yy, xy: spread.xy, flux: flux,
      variance: measured.variance * unitNoise * unitNoise + settings.photonVariance(of: photons),
      isophotal: measured.isophotal,
      xMin: Int32(left + measured.columns.lowerBound + 1),
      yMin: Int32(top + measured.rows.lowerBound + 1),
      xMax: Int32(left + measured.columns.upperBound),
      yMax: Int32(top + measured.rows.upperBound),
      flags: measured.isBlended ? .blended : [], apertureFluxes: [], cleaning: measured.cleaning)
    if let sky {
      source.peak = Float(Double(source.peak) - sky)
      source.localBackground = sky
    }
    return source
  }

  /// The indices in the plane of a component's pixels.
  private func places(of component: Component) -> some Sequence<Int> {
    (0..<component.area).lazy.map { [width = plane.width] pixel in
      let column = component.columns.lowerBound + Int(component.x[pixel])
      let row = component.rows.lowerBound + Int(component.y[pixel])
      return row * width + column
    }
  }

  /// Which of the sources of the current component have saturated pixels.
  private func saturatedParts(_ pixels: [Bool], of count: Int) -> [Bool] {
    var parts = [Bool](repeating: false, count: count)
    for (pixel, isSaturated) in pixels.enumerated() where isSaturated {
      parts[splitter.owners.isEmpty ? 0 : splitter.owners[pixel]] = true
    }
    return parts
  }
}

extension PixelBox {
  /// A rectangle of a component, whose place in the image is `origin`.
  fileprivate func shifted(by origin: PixelPlace) -> PixelBox {
    PixelBox(
      columns: columns.shifted(by: origin.column), rows: rows.shifted(by: origin.row))
  }
}

extension SectorGrid {
  /// Whether pixels that fill a rectangle touch the edge of the image.
  package func edgeCuts(_ box: PixelBox) -> Bool {
    box.columns.lowerBound == 0 || box.rows.lowerBound == 0 || box.columns.upperBound == width
      || box.rows.upperBound == height
  }
}

extension Range<Int> {
  func shifted(by distance: Int) -> Range { lowerBound + distance..<upperBound + distance }
}
