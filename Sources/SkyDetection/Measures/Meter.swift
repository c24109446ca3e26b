/// What measuring a source comes to.
enum MeterOutcome<Measures> {
  /// The measures, with warnings; and the box of the pixels that they depend on.
  case measured(Measures, Source.Flags, PixelBox)
  /// The patch lacks pixels of this box, which surely suffices.
  case needs(PixelBox)
}

/// The part of an image in which a source's surroundings are measured.
struct MeterField {
  let patch: PixelRectangle
  let validArea: ValidArea
  let grid: SectorGrid

  /// Whether the patch has the part of a box that is in the image, and the pixels opposite to it.
  func holds(_ box: PixelBox) -> Bool { !validArea.cuts(box.grown(by: 1)) }

  /// Whether a circle extends beyond the edge of the image.
  func isCut(x: Double, y: Double, radius: Double) -> Bool {
    Aperture(radius: min(radius, Double(DetectionSettings.Kron.maximumReach)))
      .isCut(x: x, y: y, by: grid)
  }
}

extension PixelBox {
  /// The pixels around a circle, limited to those around a centre that
  /// ``DetectionSettings/Kron/maximumReach`` allows. Places count from 1, as in FITS, and the box's
  /// columns and rows from 0.
  init(around x: Double, _ y: Double, radius: Double) {
    let half = min(radius, Double(DetectionSettings.Kron.maximumReach - 4))
    func range(_ center: Double) -> Range<Int> {
      Int((center - 1 - half).rounded(.down))..<Int((center - 1 + half).rounded(.up)) + 1
    }
    self.init(columns: range(x), rows: range(y))
  }
}
