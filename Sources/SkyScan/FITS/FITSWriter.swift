import CCFITSIO

/// Writes FITS files, on a queue of its own since CFITSIO blocks.
actor FITSWriter {
  private let queue = FITSQueue()

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Draws a sky and writes it to a new file, in unsigned 16-bit integers.
  ///
  /// - Throws: ``FITSError``.
  func write(_ sky: SyntheticSky, to path: String) throws {
    var status: CInt = 0
    guard let file = CFITSIO.create(path, &status), status == 0 else {
      throw FITSError(
        .writeFailed, path: path, fault: "cannot be made (\(CFITSIO.words(for: status)))",
        nextStep: "check that its directory may be written, and that there is no such file yet")
    }
    var sides = [sky.width, sky.height]
    var pixels = sky.pixels()
    // fits_create_img and fits_write_img in C.
    ffcrim(file, USHORT_IMG, 2, &sides, &status)
    ffppr(file, TUSHORT, 1, LONGLONG(pixels.count), &pixels, &status)
    // Closed even after an error, which then remains the status.
    CFITSIO.close(file, &status)
    guard status == 0 else {
      throw FITSError(
        .writeFailed, path: path, fault: "cannot be written (\(CFITSIO.words(for: status)))",
        nextStep: "see whether its disk is full")
    }
  }
}
