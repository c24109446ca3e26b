extension SyntheticSky {
  /// Writes the image to a new FITS file, in 16 bits with BZERO 32768, as cameras do. Drawing and
  /// writing run on a queue of their own, one band of rows at a time. If writing fails, the
  /// incomplete file is removed.
  ///
  /// - Throws: ``FITSError`` if the file exists already or cannot be written; `CancellationError`
  ///   between two bands if the task is cancelled.
  package func write(to path: String) async throws {
    try await FITSWriter().write(self, to: path)
  }
}
