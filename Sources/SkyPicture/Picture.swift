public import Foundation
public import SkyDetection
public import SkyFITS

/// A picture of a scanned image: the image, the ellipses of its sources, its sectors, each tinted
/// in the colour of the system that scanned it, and a legend underneath with the systems' names.
///
/// The first row of the image is at the bottom, as in FITS viewers. Squares of a large image's
/// pixels are averaged, and a small image is enlarged. Sectors that no system scanned are dark and
/// hatched, and pixels without a value are plum.
///
/// The same values make the same bytes. The memory is in proportion to the picture's size and not
/// to the image's, because the image is read in bands of rows.
public struct Picture: Sendable {
  /// The longest side of the picture, in pixels, without the legend.
  public static let maximumSide = 4096

  let image: FITSImage
  let sources: [Source]
  let grid: SectorGrid
  let tints: SectorTints
  let scale: PictureScale

  /// - Parameters:
  ///   - image: an open image.
  ///   - sources: the sources whose ellipses are drawn.
  ///   - grid: how the image was cut.
  ///   - systems: for each sector's number, the name of the system that scanned it. A sector
  ///     without an entry counts as not scanned.
  public init(of image: FITSImage, sources: [Source], grid: SectorGrid, systems: [Int: String]) {
    self.init(
      of: image, sources: sources, grid: grid, systems: systems, maximumSide: Self.maximumSide)
  }

  init(
    of image: FITSImage, sources: [Source], grid: SectorGrid, systems: [Int: String],
    maximumSide: Int
  ) {
    self.image = image
    self.sources = sources
    self.grid = grid
    tints = SectorTints(grid: grid, systems: systems)
    scale = PictureScale(width: image.width, height: image.height, maximumSide: maximumSide)
  }

  /// Draws the picture, and codes it as a PNG.
  ///
  /// If the task is cancelled, the call throws `CancellationError` at the next band or row. While
  /// libpng codes the picture, cancelling has no effect.
  ///
  /// - Throws: `FITSError` if the image cannot be read; `InvalidScan` if the grid is for an
  ///   image of another size; ``CodingError`` if libpng fails.
  public func png() async throws -> Data {
    try await canvas().png()
  }

  /// The picture before it is coded.
  func canvas() async throws -> Canvas {
    guard grid.width == image.width, grid.height == image.height else {
      throw InvalidScan(
        "a grid for \(grid.width) × \(grid.height) pixels on an image of "
          + "\(image.width) × \(image.height)")
    }
    let values = try await AveragedPixels(of: image, side: scale.binning)
    let legend = Legend(
      tints: tints, sourceCount: sources.count, hasBlanks: values.hasBlanks, width: scale.width)
    var canvas = Canvas(
      width: legend.width, height: scale.height + legend.height, color: Palette.backdrop)
    try draw(values, on: &canvas)
    for source in sources {
      try Task.checkCancellation()
      draw(source, on: &canvas)
    }
    legend.draw(on: &canvas, y: scale.height)
    return canvas
  }

  /// Draws the tinted image, and the lines between its sectors.
  private func draw(_ values: AveragedPixels, on canvas: inout Canvas) throws {
    let stretch = Stretch(values.values)
    let columns = (0..<scale.width).map { scale.column($0) }
    var rowTints = TintedRow(tints: tints, columns: columns)
    for y in 0..<scale.height {
      try Task.checkCancellation()
      let row = scale.row(y)
      let isLine = rowTints.move(to: row) && y > 0
      let start = row / scale.binning * values.width
      for x in 0..<scale.width {
        let value = values.values[start + columns[x] / scale.binning]
        let tint = rowTints[x]
        var color = Palette.blank
        if !value.isNaN {
          let level = UInt8((255 * stretch(value)).rounded())
          color = tint.applied(to: Color(level, level, level), x: x, y: y)
        }
        if scale.showsSectors(of: grid), isLine || rowTints.isEdge(x) {
          color = color.blended(with: Palette.line, Palette.lineStrength)
        }
        canvas[x, y] = color
      }
    }
  }

  /// Draws the ellipse of three times the r.m.s. about a source, which is about how far out the
  /// source is visible.
  private func draw(_ source: Source, on canvas: inout Canvas) {
    let (place, shape) = (scale.place(x: source.x, y: source.y), source.ellipse)
    let unit = 3 * scale.factor
    canvas.draw(
      EllipseOutline(
        x: place.x, y: place.y, semiMajorAxis: unit * shape.semiMajorAxis,
        semiMinorAxis: unit * shape.semiMinorAxis, angle: -shape.angle),
      Palette.source, thickness: scale.lineThickness, within: scale.area)
  }
}
