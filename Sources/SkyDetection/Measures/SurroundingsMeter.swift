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
    kron = settings.kron.map { KronMeter(settings: $0, patch: patch, validArea: validArea) }
    petrosian = settings.petrosian.map {
      PetrosianMeter(
        factor: $0.factor, minimum: $0.minimum, patch: patch, validArea: validArea)
    }
    let hasWindow = settings.measures.contains(.window)
    fractions = settings.fluxFractions
    growth = hasWindow || !fractions.isEmpty ? GrowthMeter(field: field) : nil
    window = hasWindow ? WindowMeter(field: field, noise: noise) : nil
    stamp = settings.stamp.map { StampMeter(stamp: $0, field: field) }
    fluxNoise = settings.measures.contains(.fluxErrors) ? noise : nil
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
  /// - Parameter errors: the variances of its barycentre; `nil` if there is no window.
  func measure(
    _ source: inout Source, _ errors: Source.PositionErrors?, in plane: Plane, _ mask: SourceMask
  ) -> Result {
    var result = Result(box: source.box)
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
    guard let curve = take(growth.measure(known, in: plane, mask)), let flux = source.kron?.flux
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

extension Source {
  /// The rectangle of all pixels that the source's measures depend on.
  package func reach(_ settings: DetectionSettings) -> PixelBox {
    let (column, row) = (Int((x - 1).rounded()), Int((y - 1).rounded()))
    func around(_ reach: Int) -> PixelBox {
      PixelBox(columns: column - reach..<column + reach + 1, rows: row - reach..<row + reach + 1)
    }
    var box = around(settings.apertures.map { Aperture(radius: $0 / 2).reach }.max() ?? 0)
    for flux in [kron, petrosian].compactMap(\.self) {
      box = box.union(EllipseMeter.reach(of: self, flux))
    }
    if !settings.fluxFractions.isEmpty || window != nil {
      box = box.union(GrowthMeter.reach(of: self))
    }
    if let stamp = settings.stamp { box = box.union(stamp.box(of: self)) }
    // Another source that is dropped may have the window go elsewhere.
    if window != nil { box = box.union(WindowMeter.limit(of: self)) }
    return box
  }
}
