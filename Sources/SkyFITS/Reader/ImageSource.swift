import SkyDetection

import struct Foundation.Data

/// A reader of one open image: this process, or a reader process. Its owner calls it from one
/// thread at a time.
protocol ImageSource {
  var layout: FITSLayout { get }
  /// The memory that ``read(_:)`` fills.
  var memory: PixelMemory { get }

  /// Reads the pixels of a rectangle to the beginning of ``memory``: row by row, little-endian, in
  /// the layout's format. The rectangle must fit.
  ///
  /// - Throws: ``FITSError``.
  func read(_ rectangle: PixelRectangle) throws

  /// Reads the pixels of a rectangle straight to memory of their own; `nil` if the source can only fill ``memory``.
  ///
  /// - Throws: ``FITSError``.
  func readApart(_ rectangle: PixelRectangle) throws -> Data?

  /// Compares the unit's checksums with its bytes, of which all are read if there are any.
  ///
  /// - Throws: ``FITSError``.
  func checkSums() throws -> FITSSums

  /// - Throws: ``NoSkyPositions`` if the header does not tell the image's place in the sky;
  ///   ``FITSError``.
  func checkSky() throws

  /// The sky positions of points in the image; `nil` for a point outside of the sky.
  ///
  /// - Throws: ``NoSkyPositions``, ``FITSError``.
  func sky(_ places: [PixelPosition]) throws -> [SkyPosition?]

  /// The world coordinates of points in the image, in the header's primary system.
  ///
  /// - Throws: ``NoSkyPositions`` if the header's coordinates cannot be computed with; ``FITSError``.
  func world(_ places: [PixelPosition]) throws -> WorldPlaces
}

extension ImageSource {
  func readApart(_ rectangle: PixelRectangle) throws -> Data? { nil }
}

/// A point in an image, in pixels. The centre of the first pixel is (1, 1).
package struct PixelPosition: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
