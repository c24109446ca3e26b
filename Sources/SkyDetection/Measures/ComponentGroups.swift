/// The groups of measures that follow from the pixels of a component's sources, as far as the settings ask for them.
struct ComponentGroups {
  private var thresholds: [Source.SourceThresholds] = []
  private var profiles: [Source.Profile] = []
  /// The variances of the barycentres, which windows need too.
  private var errors: [Source.PositionErrors] = []
  private let tellsErrors: Bool
  private var weightCounts: [Source.LowWeights] = []

  /// - Parameters:
  ///   - sums: the sources' sums.
  ///   - owners: the source of each pixel; empty if there is one source.
  ///   - isSaturated: whether each pixel is saturated; empty if none is.
  ///   - skies: the level of the sky around each source; empty if it is 0.
  ///   - lowWeights: the marks of each pixel; empty if they are not counted.
  ///   - noise: the standard deviation of a typical pixel of empty sky.
  init(
    of sums: [SourceSums], in component: Component, owners: [Int], isSaturated: [Bool],
    over skies: [Double], lowWeights: [LowWeightMap.Marks], noise: Double,
    _ settings: DetectionSettings
  ) {
    let measures = settings.measures
    tellsErrors = measures.contains(.positionErrors)
    if measures.contains(.thresholds) {
      thresholds = component.thresholds(of: sums.count, owners: owners)
    }
    if measures.contains(.profile) {
      profiles = component.profiles(
        of: sums, owners: owners, isSaturated: isSaturated, over: skies)
    }
    if measures.contains(.weightCounts) {
      weightCounts = component.lowWeights(of: sums.count, owners: owners, lowWeights)
    }
    if tellsErrors || measures.contains(.window) {
      errors = component.positionErrors(
        of: sums, owners: owners, noise: noise, gain: settings.gain)
    }
  }

  /// Gives a source its groups.
  func give(_ part: Int, to source: inout Source) {
    if !thresholds.isEmpty { source.thresholds = thresholds[part] }
    if !profiles.isEmpty { source.profile = profiles[part] }
    if !weightCounts.isEmpty { source.weightCounts = weightCounts[part] }
    if tellsErrors { source.positionErrors = errors[part] }
  }

  func errors(of part: Int) -> Source.PositionErrors? { errors.isEmpty ? nil : errors[part] }
}
