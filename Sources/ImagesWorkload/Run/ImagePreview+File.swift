import SkyDetection
import SkyFITS
import SkyNetCommand
import SkyPicture

extension ImagePreview {
  /// Adds all pixels of an image, read from its file in bands.
  ///
  /// - Throws: `FITSError`; `CancellationError`.
  func add(_ image: FITSImage) async throws {
    // A whole number of the picture's rows, and few enough pixels to hold.
    let rows = max(1, (4 << 20) / max(1, image.width * scale)) * scale
    for first in stride(from: 0, to: image.height, by: rows) {
      try Task.checkCancellation()
      let band = PixelRectangle(
        x: 0, y: first, width: image.width, height: min(rows, image.height - first))
      add(band, try await image.values(in: band))
    }
  }
}
