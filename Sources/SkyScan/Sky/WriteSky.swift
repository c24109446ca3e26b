extension SyntheticSky {
  /// Writes the image to a new FITS file, in 16 bits with BZERO 32768, as cameras do. Drawing and
  /// writing are done on a queue of their own, a band of rows at a time. A file that does not
  /// become whole is removed.
  ///
  /// - Throws: ``FITSError``, also if there is such a file already; `CancellationError` if the task
  ///   is cancelled, which is heeded between bands.
  package func write(to path: String) async throws {
    try await FITSWriter().write(self, to: path)
  }
}
