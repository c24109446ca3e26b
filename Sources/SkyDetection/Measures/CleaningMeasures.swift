// What this file codes is frozen by the version of `SourceScan.kind`.

/// The measures of a source that ``Cleaner`` needs beyond those in a catalogue, to decide which
/// fainter sources belong to its wings, and whether it belongs to a brighter source's wings.
package struct CleaningMeasures: Codable, Hashable, Sendable {
  /// The sum of the source's smoothed pixels, in the image's units.
  package var flux: Double
  /// The threshold that the smoothed pixels exceed, in the image's units.
  package var threshold: Float
  /// The height over the threshold of the n-th highest smoothed pixel, where n is the minimum
  /// area; see ``height(of:minimumArea:)``. If a brighter source's wings are higher than that, the source
  /// would not have been detected without them. 0 if the source has fewer pixels; `nil` if it cannot be
  /// part of another source's wings.
  package var height: Float?
  /// The number of unsmoothed pixels between the threshold and the value halfway from there to the
  /// peak; `nil` if they were not counted, as in a weighted image.
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
  ///   - excesses: how far the source's smoothed pixels are over their thresholds, in the order of
  ///     ``ScanOrder``.
  ///   - values: the same pixels unsmoothed, in any order.
  ///   - isWeighted: whether the pixels have weights. Then, as in SExtractor, the slope does not count.
  ///   - flux: the sum of the smoothed pixels, in an order that is always the same.
  ///   - minimumArea: the minimum number of pixels of a source.
  init(
    excesses: [Float], values: [Float], isWeighted: Bool, flux: Double, threshold: Float,
    minimumArea: Int
  ) {
    let half = (Double(threshold) + Double(values.max() ?? 0)) / 2
    self.init(
      flux: flux, threshold: threshold,
      height: Self.height(of: excesses, minimumArea: minimumArea),
      slopeArea: isWeighted
        ? nil : Int32(clamping: values.count { threshold < $0 && Double($0) <= half }))
  }

  /// The n-th highest excess as SExtractor finds it, which depends on the pixels' order (`examineiso` in its
  /// source): it is that of the first pixel where there are n, pixel n + 1 is passed over, and the
  /// heap of the n highest is kept only roughly. The exact height would drop other sources, one in a
  /// hundred of all in a sparse field.
  private static func height(of excesses: [Float], minimumArea: Int) -> Float {
    guard excesses.count > minimumArea else {
      return excesses.count == minimumArea ? excesses[0] : 0
    }
    var heap = excesses.prefix(minimumArea).sorted()
    for excess in excesses.dropFirst(minimumArea + 1) where excess > heap[0] {
      heap[0] = excess
      var (place, child) = (0, 2)
      while child <= minimumArea {
        if child < minimumArea, heap[child - 1] > heap[child] { child += 1 }
        guard heap[place] > heap[child - 1] else { break }
        heap.swapAt(place, child - 1)
        // The place after the one where the pixel is now.
        (place, child) = (child, 2 * (child + 1))
      }
    }
    return heap[0]
  }

  /// The measures of a source that is too large to be deblended, and is measured by sums only.
  ///
  /// Its pixels are never in memory together, so neither its highest pixels can be found, nor those
  /// up to half its peak, because the peak is known last. No source absorbs it, because it is
  /// larger than the wings of any source. Its profile has the lowest central height that SExtractor
  /// allows, half of the mean height over the ellipse. If that is under the threshold, as for a
  /// ragged shape, it absorbs no source either.
  init(flux: Double, threshold: Float) {
    self.init(flux: flux, threshold: threshold, height: nil, slopeArea: nil)
  }
}
