/// The source that each pixel of a patch belongs to, so that no source is measured with the light
/// of others (MASK_TYPE: the SExtractor manual, "Masking").
///
/// Every pixel over the threshold counts as a source's, even in components of too few pixels to be
/// a source. SExtractor counts them too: without them, up to a fifth fewer of the Kron radii agree
/// with SExtractor's.
///
/// Copies have the same labels, so only one of them may take or release components.
struct SourceMask {
  let patch: PixelRectangle
  /// The number of the component that each pixel of the patch is in, from 1; 0 if it is in none. If
  /// the component that was taken last has several sources, its pixels have the number of their
  /// source instead, from -1 downwards. A bad pixel has ``bad``, whichever component it is in.
  private let labels: PixelLabels
  private let masking: DetectionSettings.Masking
  private var taken: (number: Int32, places: [Int]) = (0, [])

  private static let bad = Int32.max

  init(
    _ components: Components, patch: PixelRectangle,
    _ masking: DetectionSettings.Masking = .correct
  ) {
    self.patch = patch
    self.masking = masking
    labels = PixelLabels(count: patch.width * patch.height)
    for number in 0..<components.count where masking != .none {
      for run in components[number] {
        let first = run.row * patch.width + run.columns.lowerBound
        labels.all[first..<first + run.columns.count].update(repeating: Int32(number + 1))
      }
    }
    for place in components.finder.plane.badPixels { labels.all[place] = Self.bad }
  }

  /// Takes the component whose sources are measured next.
  ///
  /// - Parameter owners: the source of each pixel; empty if there is one source.
  mutating func take(_ component: Component, number: Int, owners: [Int]) {
    for place in taken.places { labels.all[place] = taken.number }
    taken.number = Int32(number + 1)
    taken.places.removeAll(keepingCapacity: true)
    guard !owners.isEmpty else { return }
    for pixel in 0..<component.area {
      let place = place(of: pixel, in: component)
      // The pixels of sources that cleaning has dropped belong to no source.
      guard labels.all[place] == taken.number else { continue }
      labels.all[place] = -1 - Int32(owners[pixel])
      taken.places.append(place)
    }
  }

  private func place(of pixel: Int, in component: Component) -> Int {
    (component.rows.lowerBound + Int(component.y[pixel])) * patch.width
      + component.columns.lowerBound + Int(component.x[pixel])
  }

  /// Releases the pixels of some of a component's sources: from now on they belong to no source.
  mutating func release(_ component: Component, owners: [Int], _ parts: Set<Int>) {
    for pixel in 0..<component.area where parts.contains(owners.isEmpty ? 0 : owners[pixel]) {
      let place = place(of: pixel, in: component)
      if labels.all[place] != Self.bad { labels.all[place] = 0 }
    }
  }

  /// Calls the closure with the pixels that a source of the component that was taken last is
  /// measured with. They must not be used after the closure returns.
  ///
  /// - Parameter plane: the patch's pixels.
  func withPixels<Result>(
    of source: Source, in plane: Plane, _ body: (SourcePixels) -> Result
  ) -> Result {
    precondition(plane.values.count == labels.all.count, "a mask of another patch")
    return plane.values.withUnsafeBufferPointer { values in
      plane.withVariances { variances in
        withExtendedLifetime(labels) {
          body(
            SourcePixels(
              values: values, variances: variances, labels: UnsafeBufferPointer(labels.all),
              patch: patch, component: taken.number, part: -1 - Int32(source.part),
              mirrors: masking == .correct, source))
        }
      }
    }
  }
}

extension Plane {
  /// Calls the closure with the values' relative variances; with `nil` if all are the same.
  fileprivate func withVariances<Result>(
    _ body: (UnsafeBufferPointer<Float>?) -> Result
  ) -> Result {
    guard let variances else { return body(nil) }
    return variances.withUnsafeBufferPointer { body($0) }
  }
}
