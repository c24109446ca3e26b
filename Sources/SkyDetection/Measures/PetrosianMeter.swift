/// Measures Petrosian fluxes in a patch (Petrosian 1976, ApJ 209, L1; the SExtractor manual,
/// "Petrosian aperture magnitudes").
///
/// The Petrosian radius is where the mean of a source's light in a ring falls to a fifth of its mean
/// within the ring. The rings are ellipses that fit the source, and reach up to six times its A and B. Pixels
/// of other sources and pixels without values are left out there. For the flux, each of them is
/// replaced by the opposite one across the source's centre.
struct PetrosianMeter {
  /// The ellipse's size, in units of the Petrosian radius; and the smallest ellipse, in units of A and
  /// B (PHOT_PETROPARAMS).
  let factor: Double
  let minimum: Double
  private let meter: EllipseMeter

  /// The rings are that many times as far apart as they fit into the largest one.
  private static let ringCount = 20.0
  /// A ring's outer radius, in units of the inner one.
  private static let width = 1.2
  /// The light at the Petrosian radius, in units of the mean light within.
  private static let level = 0.2

  init(_ settings: DetectionSettings.Petrosian, _ meter: EllipseMeter) {
    (factor, minimum, self.meter) = (settings.factor, settings.minimum, meter)
  }

  /// Measures a source; see ``EllipseMeter/measure(_:in:_:noise:size:)``.
  func measure(
    _ source: Source, in plane: Plane, _ mask: SourceMask, noise: PixelNoise?
  ) -> MeterOutcome<Source.EllipseFlux> {
    meter.measure(source, in: plane, mask, noise: noise) { ellipse, extent, pixels in
      var last = Ring()
      let step = extent / Self.ringCount
      var inner = step
      while inner * Self.width < extent {
        last = ring(from: inner, in: ellipse, pixels)
        if last.isPopulated, last.mean < last.innerMean * Self.level { break }
        inner += step
      }
      let isKnown = last.isPopulated && last.mean != 0 && last.innerMean != 0
      let radius = max(minimum, isKnown ? factor * last.radius : 0)
      return (min(DetectionSettings.Kron.largest, radius), last.isBiased)
    }
  }

  private func ring(
    from inner: Double, in ellipse: SourceEllipse, _ pixels: SourcePixels
  ) -> Ring {
    let outer = inner * Self.width
    var ring = Ring(radius: (inner + outer) / 2)
    let innerSquare = inner * inner * ellipse.determinant
    let middleSquare = ring.radius * ring.radius * ellipse.determinant
    meter.forEachPixel(of: pixels, in: ellipse, within: outer) { index, _, _, square in
      guard let value = pixels.value(at: index) else {
        ring.others += 1
        return
      }
      ring.own += 1
      if square >= innerSquare {
        ring.sum += value
        ring.count += 1
      }
      if square < middleSquare {
        ring.innerSum += value
        ring.innerCount += 1
      }
    }
    return ring
  }
}

/// The light in a ring around a source, and within the middle of the ring.
private struct Ring {
  /// The middle of the ring, in units of A and B.
  let radius: Double
  var (sum, count) = (0.0, 0)
  var (innerSum, innerCount) = (0.0, 0)
  /// The pixels up to the ring's outer radius that belong to other sources or have no values, and
  /// all others.
  var (others, own) = (0, 0)

  init(radius: Double = 0) { self.radius = radius }

  var isPopulated: Bool { count > 0 && innerCount > 0 }
  var mean: Double { sum / Double(count) }
  var innerMean: Double { innerSum / Double(innerCount) }
  /// Whether more than a tenth of the pixels say nothing of the source.
  var isBiased: Bool { 10 * others > others + own }
}
