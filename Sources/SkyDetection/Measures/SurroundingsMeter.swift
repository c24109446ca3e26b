/// Measures what the pixels around a source tell of it: fluxes in ellipses, its growth curve, and what is seen through
/// a window. Each measure is taken if the settings ask for it.
struct SurroundingsMeter {
  private let kron: KronMeter?
  private let petrosian: PetrosianMeter?
  private let growth: GrowthMeter?
  private let window: WindowMeter?
  private let stamp: StampMeter?
  private let fractions: [Double]
  /// The pixels' noise, for the variances of fluxes; `nil` if the settings do not ask for these.
  private let fluxNoise: PixelNoise?

  init(
    _ settings: DetectionSettings, patch: PixelRectangle, validArea: ValidArea, of grid: SectorGrid,
    noise: PixelNoise
  ) {
    let field = MeterField(patch: patch, validArea: validArea, grid: grid)
    let ellipses = EllipseMeter(
      patch: patch, validArea: validArea, circles: settings.leastCircles)
    kron = settings.kron.map { KronMeter(settings: $0, ellipses) }
    petrosian = settings.petrosian.map { PetrosianMeter($0, ellipses) }
    let hasWindow = settings.measures.contains(.window)
    fractions = settings.fluxFractions
    growth =
      hasWindow || !fractions.isEmpty
      ? GrowthMeter(field: field, circles: settings.leastCircles) : nil
    window = hasWindow ? WindowMeter(field: field, noise: noise) : nil
    stamp = settings.stamp.map { StampMeter(stamp: $0, field: field) }
    fluxNoise = settings.measures.contains(.fluxErrors) ? noise : nil
  }

  private var measuresSomething: Bool {
    kron != nil || petrosian != nil || stamp != nil || growth != nil
  }

  /// What measuring a source came to.
  struct Result {
    /// The pixels that the measures depend on, or surely suffice for them.
    var box: PixelBox
    /// Whether the patch has them.
    var isEnough = true
  }

  /// Measures a source of the component that the mask has taken.
  ///
  /// - Parameters:
  ///   - errors: the variances of its barycentre; `nil` if there is no window.
  ///   - isSkyKnown: whether the source has its local background, if the settings ask for one.
  func measure(
    _ source: inout Source, _ errors: Source.PositionErrors?, isSkyKnown: Bool, in plane: Plane,
    _ mask: SourceMask
  ) -> Result {
    var result = Result(box: source.box)
    guard measuresSomething else { return result }
    func take<Measures>(_ outcome: MeterOutcome<Measures>?) -> Measures? {
      switch outcome {
      case .measured(let measures, let flags, let box)?:
        source.flags.formUnion(flags)
        result.box = result.box.union(box)
        return measures
      case .needs(let box)?:
        result.box = result.box.union(box)
        result.isEnough = false
      case nil: break
      }
      return nil
    }
    let known = source
    source.kron = take(kron?.measure(known, in: plane, mask, noise: fluxNoise))
    source.petrosian = take(petrosian?.measure(known, in: plane, mask, noise: fluxNoise))
    source.stampMask = take(stamp?.measure(known, in: plane, mask))
    guard let growth else { return result }
    let halves = window == nil ? [] : [0.5]
    let targets = source.kron.map { kron in (fractions + halves).map { $0 * kron.flux } } ?? []
    guard let curve = take(growth.measure(known, holding: targets, in: plane, mask)),
      let flux = source.kron?.flux, isSkyKnown
    else {
      // How wide the window is remains open.
      if window != nil { result.box = result.box.union(WindowMeter.limit(of: known)) }
      return result
    }
    source.fluxRadii = fractions.map { curve.radius(holding: $0 * flux) }
    source.window = take(
      window?.measure(
        known, halfLightRadius: curve.halfLightRadius(of: flux),
        isophotalErrors: errors ?? Source.PositionErrors(xx: 0, yy: 0, xy: 0), in: plane, mask))
    return result
  }
}

extension PixelPlace {
  /// The pixel with a source's barycentre.
  init(_ source: Source) {
    self.init(row: Int((source.y - 1).rounded()), column: Int((source.x - 1).rounded()))
  }
}

extension Source {
  /// The rectangle of all pixels that the source's measures depend on.
  package func reach(_ settings: DetectionSettings) -> PixelBox {
    reach(
      settings, ellipse: { EllipseMeter.reach(of: $0, $1, settings.leastCircles) },
      window: { Int($0.reach) })
  }

  /// The rectangle of all pixels that the measures can depend on once sources nearby are dropped: ellipses then change
  /// their sizes, and windows go elsewhere.
  package func room(_ settings: DetectionSettings) -> PixelBox {
    let limit = WindowMeter.limit(of: self)
    return reach(
      settings, ellipse: { source, _ in EllipseMeter.limit(of: source, settings.leastCircles) },
      window: { _ in limit.reach(from: PixelPlace(self)) })
  }

  private func reach(
    _ settings: DetectionSettings, ellipse: (Source, EllipseFlux) -> PixelBox,
    window: (WindowMeasures) -> Int
  ) -> PixelBox {
    let place = PixelPlace(self)
    func around(_ reach: Int) -> PixelBox {
      PixelBox(columns: place.column..<place.column + 1, rows: place.row..<place.row + 1)
        .grown(by: reach)
    }
    var box = around(settings.apertures.map { Aperture(radius: $0 / 2).reach }.max() ?? 0)
    for flux in [kron, petrosian].compactMap(\.self) { box = box.union(ellipse(self, flux)) }
    if !settings.fluxFractions.isEmpty || self.window != nil {
      box = box.union(GrowthMeter.reach(of: self, settings.leastCircles))
    }
    if let measures = self.window { box = box.union(around(window(measures))) }
    // The opposite of a pixel at the edge may be a pixel farther away.
    box = box.grown(by: 1)
    return settings.stamp.map { box.union($0.box(of: self)) } ?? box
  }
}
