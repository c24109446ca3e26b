import SkyDetection
package import SkyFITS

/// What one process of a batch found of one sector.
package struct SectorDocument: Codable, Hashable, Sendable {
  /// What tells the scan from others.
  let key: String
  /// The job's pass (`ImageJob.Pass`).
  let pass: Int
  package let sector: Int
  let findings: SourceFindings

  /// How many bytes one has at the most: sources of a few pixels each, as close as they can be.
  ///
  /// - Parameter side: the sector's, in pixels.
  package static func mostBytes(side: Int) -> Int { 1 << 20 + 32 * side * side }
}

/// The background of a whole image, and the settings that it was made with, which hold for the
/// sources too.
package struct BackgroundDocument: Codable, Sendable {
  /// What tells the scan from others.
  let key: String
  package let settings: SourceSettings
  /// None, if too few pixels have values.
  let background: Background?

  /// How many bytes one has at the most: four numbers for each mesh, of meshes of 4 pixels or more.
  package static func mostBytes(of image: FITSImage) -> Int {
    let (columns, rows) = ((image.width + 3) / 4, (image.height + 3) / 4)
    return 1 << 20 + columns * rows * 4 * 26
  }

  /// Whether its numbers are those of a background of an image that is cut so.
  func isSound(in grid: SectorGrid) -> Bool {
    background?.isSound(width: grid.width, height: grid.height, meshSide: settings.meshSide) ?? true
  }
}
