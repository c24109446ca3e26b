public import SkyDetection

extension DetectionSettings {
  /// Whether these settings measure what a column shows.
  public func measures(_ column: Column) -> Bool {
    switch column {
    case .apertureFlux: !apertures.isEmpty
    case .kronFlux, .kronRadius: kron != nil
    default: true
    }
  }

  /// Turns off measures that none of the columns shows, and turns on those that one of them shows.
  public mutating func measure(_ columns: [Column]) {
    if !columns.contains(.apertureFlux) { apertures = [] }
    let needsKron = columns.contains(.kronFlux) || columns.contains(.kronRadius)
    kron = needsKron ? kron ?? DetectionSettings.Kron() : nil
  }
}
