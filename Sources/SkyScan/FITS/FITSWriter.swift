import CCFITSIO
import Foundation

/// Writes FITS files, on a queue of its own since CFITSIO blocks.
actor FITSWriter {
  private let queue = FITSQueue()

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Draws a sky and writes it to a new file, in unsigned 16-bit integers, a band of rows after the
  /// other. A file that does not become whole is removed.
  ///
  /// - Throws: ``FITSError``; `CancellationError` if the task is cancelled before the last band.
  func write(_ sky: SyntheticSky, to path: String) throws {
    var status: CInt = 0
    guard let file = CFITSIO.create(path, &status), status == 0 else {
      throw FITSError(
        .writeFailed, path: path, fault: "cannot be made (\(CFITSIO.words(for: status)))",
        nextStep: "check that its directory may be written, and that there is no such file yet")
    }
    var sides = [sky.width, sky.height]
    // fits_create_img in C.
    ffcrim(file, USHORT_IMG, 2, &sides, &status)
    let isWhole = fill(file, with: sky, &status)
    // Closed even after an error, which then remains the status.
    CFITSIO.close(file, &status)
    guard isWhole, status == 0 else {
      // Part of an image is of no use, and would be in the way of another try.
      unlink(path)
      guard status != 0 else { throw CancellationError() }
      throw FITSError(
        .writeFailed, path: path, fault: "cannot be written (\(CFITSIO.words(for: status)))",
        nextStep: "see whether its disk is full")
    }
  }

  /// Returns whether everything was written: not after an error, nor after cancellation.
  private func fill(_ file: CFITSIO.File, with sky: SyntheticSky, _ status: inout CInt) -> Bool {
    var bands = SkyBands(sky)
    // Elements count from 1.
    var first = 1
    while var band = bands.next() {
      guard status == 0, !Task.isCancelled else { return false }
      // fits_write_img in C.
      ffppr(file, TUSHORT, LONGLONG(first), LONGLONG(band.count), &band, &status)
      first += band.count
    }
    return status == 0
  }
}
