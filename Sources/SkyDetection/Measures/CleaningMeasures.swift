/// What is to be known of a source, beyond what a catalogue tells, to say which fainter ones its
/// wings account for, and which brighter ones account for it. See ``Cleaner``.
package struct CleaningMeasures: Codable, Hashable, Sendable {
  /// The sum of its smoothed pixels, in the image's units.
  package var flux: Double
  /// What its smoothed pixels lie over, in the image's units.
  package var threshold: Float
  /// How far over the threshold as many of its smoothed pixels lie as a source has at least. Under
  /// a brighter source's wings of that height it would not have been found. 0 if it has fewer
  /// pixels, `nil` if it is not to be taken for what wings make.
  package var height: Float?
  /// How many unsmoothed pixels lie over the threshold, and at most halfway from there to the peak;
  /// `nil` if they were not counted.
  package var slopeArea: Int32?

  package init(flux: Double, threshold: Float, height: Float?, slopeArea: Int32?) {
    self.flux = flux
    self.threshold = threshold
    self.height = height
    self.slopeArea = slopeArea
  }
}

extension CleaningMeasures {
  /// - Parameters:
  ///   - smoothed: its smoothed pixels, in any order.
  ///   - values: the same, unsmoothed.
  ///   - flux: the sum of the smoothed ones, in an order that is always the same.
  ///   - minimumArea: how many pixels a source has at least.
  init(
    smoothed: [Float], values: [Float], flux: Double, threshold: Float, minimumArea: Int
  ) {
    let half = (Double(threshold) + Double(values.max() ?? 0)) / 2
    self.init(
      flux: flux, threshold: threshold,
      height: smoothed.count < minimumArea
        ? 0 : smoothed.sorted(by: >)[minimumArea - 1] - threshold,
      slopeArea: Int32(clamping: values.count { threshold < $0 && Double($0) <= half }))
  }

  /// Of a source that is too large to be parted, and measured by sums only.
  ///
  /// Its pixels are never at hand together, so that neither its highest can be told nor those up
  /// to half its peak, which is known last. Nothing eats it: it is larger than what wings make. Its
  /// profile has the lowest centre that SExtractor allows, half of its mean height over the ellipse,
  /// and if that is under the threshold, as of what is ragged, it eats none either.
  init(flux: Double, threshold: Float) {
    self.init(flux: flux, threshold: threshold, height: nil, slopeArea: nil)
  }
}
