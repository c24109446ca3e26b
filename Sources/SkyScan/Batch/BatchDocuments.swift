// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyDetection
package import SkyFITS
import SkyFiles

/// The findings of one process of a batch in one sector.
package struct SectorDocument: Codable, Hashable, Sendable {
  /// The key that identifies the scan.
  let key: String
  /// The job's pass (`ImageJob.Pass`).
  let pass: Int
  package let sector: Int
  let findings: SourceScan.Findings
  /// The files that were scanned: the image, and its weights if there are any.
  let files: [FileStamp]

  /// The largest size of a document, in bytes: that of sources of a few pixels each, as close
  /// together as possible.
  ///
  /// - Parameter settings: the scan's.
  static func mostBytes(_ settings: SourceScan.Settings) -> Int {
    let pixels = settings.grid.side * settings.grid.side
    // Stamps are larger than most sources.
    return 1 << 20 + 32 * pixels + (settings.stamp.map { pixels / 16 * $0.maskBytes } ?? 0)
  }
}

/// The background of a whole image, and the settings with which it was made. The sources are found
/// with the same settings.
package struct BackgroundDocument: Codable, Sendable {
  /// The key that identifies the scan.
  let key: String
  package let settings: SourceScan.Settings
  /// The file beside the image whose cards replace those of its header; `nil` if none do. The
  /// catalogue's positions depend on it, and no sector's sources do.
  package let headerFile: HeaderFile?

  /// How a header file is found again.
  package struct HeaderFile: Codable, Hashable, Sendable {
    /// The ending of its name (HEADER_SUFFIX).
    package let suffix: String
    /// The hash of its bytes.
    package let hash: String

    package init(suffix: String, hash: String) {
      self.suffix = suffix
      self.hash = hash
    }
  }
  let background: Background
  /// The image's file, and that of its weights, where the sectors' parts were joined.
  let files: [FileStamp]

  /// The largest size of a document, in bytes: at most eight numbers for each mesh, with meshes
  /// of 4 pixels or more.
  package static func mostBytes(of image: FITSImage) -> Int {
    let (columns, rows) = ((image.width + 3) / 4, (image.height + 3) / 4)
    return 1 << 20 + columns * rows * 8 * 26
  }

  /// Whether the document's numbers are possible for a background of the grid's image.
  func isSound(in grid: SectorGrid) -> Bool {
    background.isSound(width: grid.width, height: grid.height, settings.detection)
  }
}
