// What this file codes is frozen by the version of `SourceScan.kind`.

/// Measures of a source's pixels that come out the same in whatever order, and in however many parts,
/// the pixels are added. The definitions are SExtractor's.
///
/// A deblended source, a fragment of a component and a source that absorbs another one all add up these
/// measures here. The members are members of ``Source`` too, and stand in its JSON and in that of
/// `ExactSums`; SkyScan's `SourceList` writes them into messages.
public struct IsophotalMeasures: Codable, Hashable, Sendable {
  /// The highest of the unsmoothed pixels (FLUX_MAX).
  public var peak: Float
  /// The number of pixels whose smoothed value is over the threshold (ISOAREAF_IMAGE).
  public var area: Int32
  /// How many of these pixels are over the threshold unsmoothed (ISOAREA_IMAGE).
  public var isophotalArea: Int32
  /// The highest of the smoothed pixels, in the image's units.
  public var smoothedPeak = -Float.infinity
  /// The place of that pixel, in pixels from 1 (XPEAK_IMAGE, YPEAK_IMAGE). Of several, it is the first
  /// one in row order.
  public var xPeak: Int32 = 0
  public var yPeak: Int32 = 0

  /// Without arguments: the measures of no pixel.
  package init(peak: Float = -.infinity, area: Int32 = 0, isophotalArea: Int32 = 0) {
    (self.peak, self.area, self.isophotalArea) = (peak, area, isophotalArea)
  }

  /// Adds a pixel.
  @inline(__always)
  mutating func add(_ pixel: MeasuredPixel) {
    peak = max(peak, pixel.value)
    area += 1
    if pixel.isOverThreshold { isophotalArea += 1 }
    guard pixel.smoothed >= smoothedPeak else { return }
    // A kernel can make a finite value infinite.
    take(
      smoothedPeak: min(pixel.smoothed, .greatestFiniteMagnitude),
      x: Int32(pixel.place.column + 1), y: Int32(pixel.place.row + 1))
  }

  /// Adds the measures of other pixels.
  mutating func add(_ other: IsophotalMeasures) {
    peak = max(peak, other.peak)
    area = area.adding(other.area)
    isophotalArea = isophotalArea.adding(other.isophotalArea)
    take(smoothedPeak: other.smoothedPeak, x: other.xPeak, y: other.yPeak)
  }

  private mutating func take(smoothedPeak value: Float, x: Int32, y: Int32) {
    guard value > smoothedPeak || value == smoothedPeak && (y, x) < (yPeak, xPeak) else { return }
    (smoothedPeak, xPeak, yPeak) = (value, x, y)
  }

  /// Adds the measures of a source that cleaning drops. As in SExtractor, ISOAREA_IMAGE stays the
  /// same.
  mutating func absorb(_ other: IsophotalMeasures) {
    let isophotalArea = isophotalArea
    add(other)
    self.isophotalArea = isophotalArea
  }

  /// Whether all numbers are finite. They may not be if pixels are near the largest value.
  var isFinite: Bool { peak.isFinite && smoothedPeak.isFinite }

  /// Whether pixels in a box can have these measures. The box must not be empty, and must be within
  /// an image.
  package func areSound(in box: PixelBox) -> Bool {
    (1...box.columns.count * box.rows.count).contains(Int(area))
      && (0...area).contains(isophotalArea) && isFinite
      && box.columns.contains(Int(xPeak) - 1) && box.rows.contains(Int(yPeak) - 1)
  }
}

extension Int32 {
  /// The sum of two counts, at most the largest number.
  fileprivate func adding(_ other: Int32) -> Int32 { Int32(clamping: Int(self) + Int(other)) }
}
