public import SkyDetection

extension DetectionSettings {
  /// Whether a column's measure is taken.
  public func measures(_ column: Column) -> Bool {
    switch column {
    case .apertureFlux: !apertures.isEmpty
    case .kronFlux, .kronRadius: kron != nil
    default: true
    }
  }

  /// Leaves out what is measured for none of some columns, and adds what is for one of them.
  public mutating func measure(_ columns: [Column]) {
    if !columns.contains(.apertureFlux) { apertures = [] }
    let needsKron = columns.contains(.kronFlux) || columns.contains(.kronRadius)
    kron = needsKron ? kron ?? KronSettings() : nil
  }
}
