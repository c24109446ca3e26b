/// Measures fluxes in ellipses in a patch.
struct EllipseMeter {
  let patch: PixelRectangle
  let validArea: ValidArea
  var circles = DetectionSettings.LeastCircles()

  /// Whether the patch has the part of a box that is in the image, and the pixels opposite to it.
  func holds(_ box: PixelBox) -> Bool { !validArea.cuts(box.grown(by: 1)) }

  /// The pixels that a flux of a known radius depends on.
  static func reach(
    of source: Source, _ flux: Source.EllipseFlux, _ circles: DetectionSettings.LeastCircles
  ) -> PixelBox {
    // The radius of a flux that is not positive, and that of a circle, was not recorded.
    let radius = flux.radius > 0 ? flux.radius : DetectionSettings.Kron.largest
    return most(of: source, max(DetectionSettings.Kron.extent, radius), circles)
  }

  /// The pixels of an ellipse, and of the circles that may stand for it.
  private static func most(
    of source: Source, _ radius: Double, _ circles: DetectionSettings.LeastCircles
  ) -> PixelBox {
    let ellipse = SourceEllipse(source).box(radius)
    let diameter = max(circles.search, circles.flux)
    guard diameter > 0 else { return ellipse }
    return ellipse.union(SourceEllipse(circleAround: source).box(diameter / 2))
  }

  /// The pixels that a flux of any radius depends on.
  static func limit(
    of source: Source, _ circles: DetectionSettings.LeastCircles
  ) -> PixelBox {
    most(of: source, DetectionSettings.Kron.largest, circles)
  }

  /// Measures the flux of a source of the component that the mask has taken, in an ellipse of which the surroundings
  /// tell the size. The flags have ``Source/Flags/biased`` if more than a tenth of an ellipse's pixels belong to other
  /// sources or have no values, and ``Source/Flags/incompleteAperture`` if an ellipse extends beyond the image.
  ///
  /// - Parameters:
  ///   - noise: the pixels' noise, for the flux's variance; with `nil`, there is none.
  ///   - size: finds the ellipse's size, in units of A and B, by the pixels of an ellipse or circle up
  ///     to an extent, and tells whether too many of these say nothing of the source.
  func measure(
    _ source: Source, in plane: Plane, _ mask: SourceMask, noise: PixelNoise?,
    size: (SourceEllipse, _ extent: Double, SourcePixels) -> (radius: Double, isBiased: Bool)
  ) -> MeterOutcome<Source.EllipseFlux> {
    let own = SourceEllipse(source)
    let (ellipse, extent) = chosen(
      own, DetectionSettings.Kron.extent, orCircleOf: circles.search, around: source)
    // Without the first ellipse's pixels, the size of the second one is not known.
    guard holds(ellipse.box(extent)) else {
      return .needs(Self.limit(of: source, circles))
    }
    return mask.withPixels(of: source, in: plane) { pixels in
      let (size, isBiased) = size(ellipse, extent, pixels)
      let (outline, radius) = chosen(own, size, orCircleOf: circles.flux, around: source)
      let box = ellipse.box(extent).union(outline.box(radius))
      guard holds(box) else { return .needs(box) }
      var (flux, isFluxBiased) = self.flux(
        in: outline, within: radius, pixels, over: source.localBackground ?? 0, noise)
      if outline.isCircle { flux.radius = 0 }
      var flags: Source.Flags = isBiased || isFluxBiased ? .biased : []
      if isCut(ellipse, extent) || isCut(outline, radius) { flags.insert(.incompleteAperture) }
      return .measured(flux, flags, box)
    }
  }

  /// An ellipse of a size, or a circle if the ellipse is not larger.
  private func chosen(
    _ ellipse: SourceEllipse, _ size: Double, orCircleOf diameter: Double, around source: Source
  ) -> (outline: SourceEllipse, radius: Double) {
    diameter > 0 && size * ellipse.meanRadius <= diameter / 2
      ? (SourceEllipse(circleAround: source), diameter / 2) : (ellipse, size)
  }

  /// Sums an ellipse's pixels. Each one without a value, or of another source, is replaced by the
  /// opposite one across the source's centre.
  ///
  /// - Parameters:
  ///   - radius: the ellipse's size, in units of A and B.
  ///   - sky: the level of the sky around the source.
  ///   - noise: the pixels' noise, for the flux's variance; with `nil`, there is none.
  /// - Returns: the flux, and whether more than a tenth of the pixels were replaced. If the flux is
  ///   not positive, the radius is 0.
  func flux(
    in ellipse: SourceEllipse, within radius: Double, _ pixels: SourcePixels,
    over sky: Double, _ noise: PixelNoise?
  ) -> (flux: Source.EllipseFlux, isBiased: Bool) {
    var (flux, count, others) = (0.0, 0, 0)
    forEachPixel(of: pixels, in: ellipse, within: radius) { index, column, row, _ in
      count += 1
      if let value = pixels.value(at: index) {
        flux += value - sky
      } else {
        others += 1
        flux += pixels.opposite(column, row) - sky
      }
    }
    let variance = noise.map { self.variance(of: flux, in: ellipse, within: radius, pixels, $0) }
    return (
      Source.EllipseFlux(radius: flux > 0 ? radius : 0, flux: flux, variance: variance),
      10 * others > count
    )
  }

  private func variance(
    of flux: Double, in ellipse: SourceEllipse, within radius: Double, _ pixels: SourcePixels,
    _ noise: PixelNoise
  ) -> Double {
    var sum = 0.0
    forEachPixel(of: pixels, in: ellipse, within: radius) { _, column, row, _ in
      let (value, relative) = pixels.measured(column, row)
      let variance = relative * noise.unitVariance
      sum += variance + noise.photons(ofPixel: value, variance: variance)
    }
    return sum + noise.photons(ofFlux: flux)
  }

  /// Whether an ellipse extends beyond the image. All pixels that are needed are in the patch, so
  /// pixels outside of the patch are outside of the image.
  func isCut(_ ellipse: SourceEllipse, _ radius: Double) -> Bool {
    let box = ellipse.limits(radius)
    return !patch.columns.contains(box.columns) || !patch.rows.contains(box.rows)
  }

  /// Calls the closure with each pixel whose centre is in the ellipse, row by row, and with the
  /// square of its distance times ``SourceEllipse/determinant``.
  @inline(__always)
  func forEachPixel(
    of pixels: SourcePixels, in ellipse: SourceEllipse, within radius: Double,
    _ body: (_ index: Int, _ column: Int, _ row: Int, _ scaledSquare: Double) -> Void
  ) {
    let box = ellipse.box(radius)
    let columns = box.columns.clamped(to: patch.columns)
    let (square, determinant) = (radius * radius, ellipse.determinant)
    // A pixel counts if the quotient of its scaled square and the determinant is at most the
    // square of the radius. Two products surround all cases in which rounding could matter, so that
    // hardly a pixel needs the division.
    let (inside, outside) = (square * determinant * (1 - 1e-14), square * determinant * (1 + 1e-14))
    for row in box.rows.clamped(to: patch.rows) {
      let dy = Double(row + 1) - ellipse.y
      let start = pixels.index(0, row)
      for column in columns {
        let scaled = ellipse.scaledSquare(Double(column + 1) - ellipse.x, dy)
        guard scaled <= inside || scaled <= outside && scaled / determinant <= square else {
          continue
        }
        body(start + column, column, row, scaled)
      }
    }
  }
}
