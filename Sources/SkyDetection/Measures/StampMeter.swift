/// Finds out which pixels of a source's stamp belong to other sources. The pixels' values are read where the catalogue
/// is written.
struct StampMeter {
  let stamp: DetectionSettings.Stamp
  let field: MeterField

  /// Looks at the stamp of a source of the component that the mask has taken.
  func measure(
    _ source: Source, in plane: Plane, _ mask: SourceMask
  ) -> MeterOutcome<Source.StampMask> {
    let box = stamp.box(of: source)
    guard field.holds(box) else { return .needs(box) }
    var found = Source.StampMask(stamp)
    mask.withPixels(of: source, in: plane) { pixels in
      for row in box.rows.clamped(to: field.patch.rows) {
        let start = (row - box.rows.lowerBound) * stamp.width - box.columns.lowerBound
        for column in box.columns.clamped(to: field.patch.columns)
        where pixels.isOther(at: pixels.index(column, row)) {
          found.insert(start + column)
        }
      }
    }
    return .measured(found, [], box)
  }
}
