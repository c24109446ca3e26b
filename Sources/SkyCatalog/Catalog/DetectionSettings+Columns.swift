public import SkyDetection

extension DetectionSettings {
  /// Whether these settings measure what a column shows.
  public func measures(_ column: Column) -> Bool {
    let needs = column.needs
    return !(needs.contains(.apertures) && apertures.isEmpty)
      && !(needs.contains(.kron) && kron == nil)
      && !(needs.contains(.petrosian) && petrosian == nil)
      && !(needs.contains(.fluxFractions) && fluxFractions.isEmpty)
      && !(needs.contains(.stamp) && stamp == nil)
      && needs.measures.isSubset(of: measures)
  }

  /// Leaves the first circles, so many as a list asks for fluxes. Where there are fewer circles, the
  /// other fluxes are 0. A list can ask for any number; more than allowed stay too many.
  package mutating func takeApertures(_ count: Int) {
    apertures = Array(apertures.prefix(count))
    let padded = min(count, Self.mostApertures + 1)
    apertures += [Double](repeating: 0, count: max(0, padded - apertures.count))
  }

  /// The same for the fractions of a flux. The fraction 0 stands for none: its radius is 0.
  package mutating func takeFluxFractions(_ count: Int) {
    if fluxFractions.isEmpty { fluxFractions = Self.usualFractions }
    fluxFractions = Array(fluxFractions.prefix(count))
    let padded = min(count, Self.mostFluxFractions + 1)
    fluxFractions += [Double](repeating: 0, count: max(0, padded - fluxFractions.count))
  }

  /// Turns off measures that none of the columns shows, and turns on those that one of them shows.
  public mutating func measure(_ columns: [Column]) {
    let needs = columns.reduce(into: Column.Needs()) { $0.formUnion($1.needs) }
    if !needs.contains(.apertures) { apertures = [] }
    kron = needs.contains(.kron) ? kron ?? Kron() : nil
    petrosian = needs.contains(.petrosian) ? petrosian ?? Petrosian() : nil
    if !needs.contains(.fluxFractions) {
      fluxFractions = []
    } else if fluxFractions.isEmpty {
      fluxFractions = Self.usualFractions
    }
    stamp = columns.first(where: \.isStamp).map { $0.stamp ?? stamp ?? Self.usualStamp }
    measures = needs.measures
  }

  /// Half of the flux, as in SExtractor.
  private static let usualFractions = [0.5]
  /// One pixel, as in SExtractor.
  private static let usualStamp = Stamp(width: 1, height: 1)
}
