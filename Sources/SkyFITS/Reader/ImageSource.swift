import SkyDetection

/// What reads one open image: this process, or a reader process. Its owner asks from one thread at a
/// time.
protocol ImageSource {
  var layout: FITSLayout { get }
  /// What ``read(_:)`` reads into.
  var memory: PixelMemory { get }

  /// Reads the pixels of a rectangle to the beginning of ``memory``, row by row, little-endian, in the
  /// format that the layout says. They fit.
  ///
  /// - Throws: ``FITSError``.
  func read(_ rectangle: PixelRectangle) throws

  /// - Throws: ``NoSkyPositions`` if the image does not tell where it is in the sky; ``FITSError``.
  func checkSky() throws

  /// The places of pixels in the sky, counted as FITS does; `nil` for one that is not in it.
  ///
  /// - Throws: ``NoSkyPositions``, ``FITSError``.
  func sky(_ places: [PixelPosition]) throws -> [SkyPosition?]
}

/// A place in an image; the centre of the first pixel is (1, 1).
package struct PixelPosition: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
