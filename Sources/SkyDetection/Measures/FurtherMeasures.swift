/// The measures of a source that settings have to ask for. They are members of ``Source``, where each is told.
struct FurtherMeasures: Hashable, Sendable {
  var kron: Source.EllipseFlux?
  var apertureVariances: [Double] = []
  var localBackground: Double?
  var petrosian: Source.EllipseFlux?
  var fluxRadii: [Double] = []
  var positionErrors: Source.PositionErrors?
  var profile: Source.Profile?
  var thresholds: Source.SourceThresholds?
  var window: Source.WindowMeasures?
  var weightCounts: Source.LowWeights?
  var stampMask: Source.StampMask?
  var componentEnd: PixelPlace?

  /// Whether all numbers are finite.
  var areFinite: Bool {
    apertureVariances.allSatisfy(\.isFinite) && fluxRadii.allSatisfy(\.isFinite)
      && kron?.isFinite ?? true && petrosian?.isFinite ?? true
      && positionErrors?.isFinite ?? true && profile?.fwhm.isFinite ?? true
      && thresholds.map { $0.detection.isFinite && $0.analysis.isFinite } ?? true
      && window?.isFinite ?? true && localBackground?.isFinite ?? true
  }

  /// Some of these measures, or none, by a single reference. A copy shares the memory until it is changed.
  struct Box: Hashable, Sendable {
    /// At most one element: an array is a reference that is copied when it is changed.
    private var stored: [FurtherMeasures] = []

    private var measures: FurtherMeasures { stored.first ?? FurtherMeasures() }

    var areFinite: Bool { stored.allSatisfy(\.areFinite) }

    @inline(__always)
    subscript<Value: Equatable>(member: WritableKeyPath<FurtherMeasures, Value>) -> Value {
      get {
        stored.isEmpty ? FurtherMeasures()[keyPath: member] : stored[0][keyPath: member]
      }
      set {
        if stored.isEmpty {
          if newValue == FurtherMeasures()[keyPath: member] { return }
          stored.append(FurtherMeasures())
        }
        stored[0][keyPath: member] = newValue
      }
    }

    static func == (a: Box, b: Box) -> Bool { a.measures == b.measures }

    func hash(into hasher: inout Hasher) { hasher.combine(measures) }
  }
}

extension Source {
  /// The flux in an ellipse that fits the source (Kron 1980, ApJS 43, 305; the SExtractor manual,
  /// "Automatic aperture magnitudes"): KRON_RADIUS and FLUX_AUTO. It is `nil` unless ``DetectionSettings/kron`` is set,
  /// and for a source that is too large to be deblended.
  public var kron: EllipseFlux? {
    get { further[\.kron] }
    set { further[\.kron] = newValue }
  }

  /// The variances of the fluxes within circles, in the image's units squared; empty unless
  /// ``DetectionSettings/measures`` has them.
  public var apertureVariances: [Double] {
    get { further[\.apertureVariances] }
    set { further[\.apertureVariances] = newValue }
  }

  /// The level of the sky around the source, over the background, in the image's units; `nil` unless
  /// ``DetectionSettings/localThickness`` is set, and for a source that is too large to be deblended.
  public var localBackground: Double? {
    get { further[\.localBackground] }
    set { further[\.localBackground] = newValue }
  }

  /// The flux in an ellipse of the Petrosian radius; `nil` unless ``DetectionSettings/petrosian`` is
  /// set.
  public var petrosian: EllipseFlux? {
    get { further[\.petrosian] }
    set { further[\.petrosian] = newValue }
  }

  /// The radii of the circles that hold fractions of the Kron flux, in pixels (FLUX_RADIUS), in the
  /// order of ``DetectionSettings/fluxFractions``.
  public var fluxRadii: [Double] {
    get { further[\.fluxRadii] }
    set { further[\.fluxRadii] = newValue }
  }

  // Each of these groups is `nil` unless `DetectionSettings.measures` has it, and for a source that
  // is too large to be deblended.

  public var positionErrors: PositionErrors? {
    get { further[\.positionErrors] }
    set { further[\.positionErrors] = newValue }
  }

  public var profile: Profile? {
    get { further[\.profile] }
    set { further[\.profile] = newValue }
  }

  public var thresholds: SourceThresholds? {
    get { further[\.thresholds] }
    set { further[\.thresholds] = newValue }
  }

  public var window: WindowMeasures? {
    get { further[\.window] }
    set { further[\.window] = newValue }
  }

  public var weightCounts: LowWeights? {
    get { further[\.weightCounts] }
    set { further[\.weightCounts] = newValue }
  }

  /// The other sources' pixels in the source's stamp; `nil` unless ``DetectionSettings/stamp`` is set, and for a source
  /// that is too large to be deblended.
  public var stampMask: StampMask? {
    get { further[\.stampMask] }
    set { further[\.stampMask] = newValue }
  }

  /// The last pixel of the component that the source is in, in row order; `nil` unless
  /// ``DetectionSettings/measures`` has it.
  package var componentEnd: PixelPlace? {
    get { further[\.componentEnd] }
    set { further[\.componentEnd] = newValue }
  }
}

extension Source.EllipseFlux {
  fileprivate var isFinite: Bool {
    radius.isFinite && flux.isFinite && variance?.isFinite ?? true
  }
}
