/// Which pixels of a patch belong to which source, so that a source is not measured by the light of
/// others (MASK_TYPE CORRECT: the SExtractor manual, "Masking").
///
/// Every pixel over the threshold counts as another source's: also those of too few pixels to be one,
/// since a patch need not hold these whole.
struct SourceMask {
  private let patch: PixelRectangle
  /// The number of the component that each pixel of the patch is in, from 1; 0 if in none.
  private var labels: [Int32]
  /// Which of its component's sources a pixel belongs to: for the component that was taken last.
  private var parts: [Int32]
  private var taken: Int32 = 0

  init(_ components: Components, patch: PixelRectangle) {
    self.patch = patch
    labels = [Int32](repeating: 0, count: patch.width * patch.height)
    parts = labels
    for number in 0..<components.count {
      for run in components[number] {
        let start = run.row * patch.width
        for column in run.columns { labels[start + column] = Int32(number + 1) }
      }
    }
  }

  /// Takes the component whose sources are measured next.
  ///
  /// - Parameter owners: which source each pixel belongs to; empty if there is one source.
  mutating func take(_ component: Component, number: Int, owners: [Int]) {
    taken = Int32(number + 1)
    for pixel in 0..<component.area {
      let column = component.columns.lowerBound + Int(component.x[pixel])
      let row = component.rows.lowerBound + Int(component.y[pixel])
      parts[row * patch.width + column] = owners.isEmpty ? 0 : Int32(owners[pixel])
    }
  }

  /// Makes the pixels of some of a component's sources nobody's.
  mutating func free(_ component: Component, owners: [Int], _ parts: Set<Int>) {
    for pixel in 0..<component.area where parts.contains(owners.isEmpty ? 0 : owners[pixel]) {
      let column = component.columns.lowerBound + Int(component.x[pixel])
      let row = component.rows.lowerBound + Int(component.y[pixel])
      labels[row * patch.width + column] = 0
    }
  }

  /// A pixel's value, unless it has none or is another source's.
  func value(_ column: Int, _ row: Int, of part: Int, _ plane: Plane) -> Double? {
    guard patch.columns.contains(column), patch.rows.contains(row) else { return nil }
    let index = (row - patch.y) * patch.width + column - patch.x
    let label = labels[index]
    guard label == 0 || label == taken && Int(parts[index]) == part else { return nil }
    let value = plane.values[index]
    return value.isNaN ? nil : Double(value)
  }

  /// What stands for a pixel without a value of the source's own: the one that is opposite to it across the
  /// source's centre; 0, if that has none either.
  func opposite(_ column: Int, _ row: Int, of source: Source, _ plane: Plane) -> Double {
    func mirrored(_ center: Double, _ place: Int) -> Int {
      Int((2 * (center - 1) + 0.49999).rounded(.down)) - place
    }
    return value(mirrored(source.x, column), mirrored(source.y, row), of: source.part, plane) ?? 0
  }
}
